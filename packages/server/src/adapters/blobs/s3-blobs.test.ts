import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Blobs } from "../../ports/blobs.ts";
import { blobsContract } from "../../testing/contracts/blobs-contract.ts";
import { type TestCertificate, canMakeCertificates, makeCertificate } from "../../testing/reverse-proxy.ts";
import { type TlsFront, startTlsFront, trust } from "../../testing/tls-front.ts";
import { type S3Fault, type S3Server, startS3Server } from "../../testing/s3-server.ts";
import { INCOMING_FOLDER } from "./incoming-folder.ts";
import { openS3Blobs, s3Blobs } from "./s3-blobs.ts";
import { type S3Settings, bodyOf } from "./s3-requests.ts";

const HASTE = { silenceMs: 60_000, longSilenceMs: 60_000, pausesMs: [1, 1] };
const UNAVAILABLE = { name: "StoreUnavailableError", reason: "files" };
/** More than one part. */
const LARGE = Buffer.alloc(10_000_000, "parley");

describe("S3 blobs", () => {
  let s3: S3Server;
  let folder: string;
  beforeEach(async () => {
    s3 = await startS3Server();
    folder = await mkdtemp(join(tmpdir(), "parley-s3-"));
    await (await openS3Blobs(s3.settings, folder, Date.now())).close();
  });
  afterEach(async () => {
    await s3.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const open = (settings: Partial<S3Settings> = {}, patience: Partial<typeof HASTE> = {}) =>
    s3Blobs({ ...s3.settings, ...settings }, folder, { ...HASTE, ...patience });
  const contents = async () => [...s3.contents(), ...(await readdir(join(folder, INCOMING_FOLDER)))];
  const stream = (data: Buffer) =>
    Readable.from(
      Array.from({ length: Math.ceil(data.length / 100_000) }, (_, n) =>
        data.subarray(n * 100_000, (n + 1) * 100_000),
      ),
    );
  const readAll = async (blobs: Blobs, key: string, range?: { start: number; end: number }) => {
    const data = await blobs.read(key, range);
    return data && buffer(data);
  };
  const listAll = async (blobs: Blobs) => {
    const all: unknown[] = [];
    for await (const blob of blobs.list()) all.push(blob);
    return all;
  };
  /** The fault happens to the first requests of this kind. */
  const plan = (kind: string, fault: S3Fault, times = 1) => {
    let left = times;
    s3.fault = (request) => (request.kind === kind && left-- > 0 ? fault : undefined);
  };

  blobsContract(async () => {
    return { blobs: open(), contents, dispose: async () => {} };
  });

  test.each([
    ["PUT", "busy", 2],
    ["PUT", "lose", 2],
    ["PUT", "cutBody", 2],
    ["PUT uploadId", "busy", 2],
    ["PUT uploadId", "lose", 1],
    ["PUT uploadId", "cutBody", 2],
    ["POST uploads", "busy", 2],
    ["POST uploadId", "busy", 2],
    ["POST uploadId", "lose", 1],
    ["POST uploadId", "lateError", 2],
  ] as const)(
    "an upload whose %s meets the fault %s (%i times) is stored in the end",
    async (kind, fault, times) => {
      plan(kind, fault, times);
      const data = kind === "PUT" ? LARGE.subarray(0, 700_000) : LARGE;
      const { size } = await open().put("a/file", stream(data));
      expect(size).toBe(data.length);
      expect(s3.objects.get("a/file")?.equals(data)).toBe(true);
      expect(await contents()).toEqual(["a/file"]);
    },
  );

  test.each([
    ["PUT", "busy"],
    ["PUT", "cutBody"],
    ["PUT", "refuse"],
    ["PUT uploadId", "busy"],
    ["PUT uploadId", "cutBody"],
    ["POST uploads", "refuse"],
    ["POST uploads", "lose"],
    ["POST uploadId", "busy"],
    ["POST uploadId", "lateError"],
  ] as const)(
    "an upload whose %s always meets the fault %s is refused, and leaves nothing",
    async (kind, fault) => {
      plan(kind, fault, Infinity);
      const blobs = open();
      const data = kind === "PUT" ? LARGE.subarray(0, 700_000) : LARGE;
      await expect(blobs.put("a/file", stream(data))).rejects.toMatchObject(UNAVAILABLE);
      expect(await blobs.stat("a/file")).toBeUndefined();
      // Only the server knows the number of an upload whose first answer was lost.
      if (fault === "lose") expect(await contents()).toEqual(["a/file (unfinished)"]);
      if (fault === "lose") await blobs.delete("a/file");
      expect(await contents()).toEqual([]);
    },
  );

  test("a full storage is told apart from one that is away", async () => {
    plan("PUT", "full", Infinity);
    await expect(open().put("a/file", LARGE)).rejects.toMatchObject({ reason: "full" });
    expect(s3.requests).toHaveLength(1);
  });

  test("deleting also ends uploads that a dead process has begun, and no others", async () => {
    const { fault } = s3;
    s3.fault = ({ kind }) => (kind === "PUT uploadId" || kind === "DELETE uploadId" ? "refuse" : undefined);
    const blobs = open();
    for (const key of ["a/file", "a/file2"]) await expect(blobs.put(key, stream(LARGE))).rejects.toThrow();
    s3.fault = fault;
    expect(await contents()).toEqual(["a/file (unfinished)", "a/file2 (unfinished)"]);
    await blobs.delete("a/file");
    expect(await contents()).toEqual(["a/file2 (unfinished)"]);
  });

  test.each(["unknown", "refuse"] as const)(
    "a server that cannot list unfinished uploads, or a key that may not (%s), still deletes objects",
    async (fault) => {
      s3.objects.set("a/file", LARGE);
      plan("GET uploads", fault, Infinity);
      const blobs = open();
      await blobs.probe();
      await blobs.delete("a/file");
      expect(await contents()).toEqual([]);
    },
  );

  test("a download goes on where its connection was cut, with and without a range", async () => {
    s3.objects.set("a/file", LARGE);
    plan("GET", "cutAnswer", 3);
    const blobs = open();
    expect((await readAll(blobs, "a/file"))?.equals(LARGE)).toBe(true);
    plan("GET", "cutAnswer", 3);
    const range = { start: 1_234_567, end: 8_765_432 };
    expect((await readAll(blobs, "a/file", range))?.equals(LARGE.subarray(range.start, range.end + 1))).toBe(
      true,
    );
  });

  test("a download that is cut fails if the blob was deleted or replaced since, or S3 stays away", async () => {
    for (const change of [
      () => void s3.objects.delete("a/file"),
      () => void s3.objects.set("a/file", Buffer.alloc(LARGE.length)),
      () => (s3.fault = () => "busy"),
    ]) {
      s3.objects.set("a/file", LARGE);
      s3.fault = () => "cutAnswer";
      const data = await open().read("a/file");
      s3.fault = () => undefined;
      change();
      await expect(buffer(data ?? Readable.from([]))).rejects.toMatchObject(UNAVAILABLE);
    }
  });

  test("a server that ignores ranges is refused instead of being taken at its word", async () => {
    s3.objects.set("a/file", LARGE);
    plan("GET", "noRange", Infinity);
    await expect(open().read("a/file", { start: 5, end: 9 })).rejects.toMatchObject(UNAVAILABLE);
  });

  test("everything fails while the server is away, and works again as soon as it is back", async () => {
    const blobs = open();
    await blobs.put("a/file", LARGE);
    await s3.stop();
    const attempts = [
      () => blobs.put("a/other", stream(LARGE)),
      () => blobs.put("a/other", LARGE),
      () => blobs.stat("a/file"),
      () => blobs.read("a/file"),
      () => blobs.delete("a/file"),
      () => listAll(blobs),
      () => blobs.probe(),
    ];
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({ ...UNAVAILABLE, message: /no answer from S3 \(ECONN/ });
    }
    await s3.start();
    expect(await blobs.stat("a/file")).toEqual({ size: LARGE.length });
    expect(await contents()).toEqual(["a/file"]);
  });

  test.each(["PUT", "GET", "HEAD", "DELETE"])(
    "a %s without an answer is given up, and not repeated",
    async (kind) => {
      s3.objects.set("a/file", LARGE);
      plan(kind, "silent", Infinity);
      const blobs = open({}, { silenceMs: 500 });
      const attempts = {
        PUT: () => blobs.put("a/other", Buffer.from("x")),
        GET: () => blobs.read("a/file"),
        HEAD: () => blobs.stat("a/file"),
        DELETE: () => blobs.delete("a/file"),
      };
      const attempt = attempts[kind as keyof typeof attempts];
      await expect(attempt()).rejects.toMatchObject({ ...UNAVAILABLE, message: /silent/ });
      expect(s3.requests.filter((request) => request.kind === kind)).toHaveLength(1);
    },
  );

  test("a download that stands still is given up, and one whose reader pauses is not", async () => {
    s3.objects.set("a/file", LARGE);
    plan("GET", "stall");
    const blobs = open({}, { silenceMs: 500 });
    await expect(readAll(blobs, "a/file")).rejects.toMatchObject({ ...UNAVAILABLE, message: /silent/ });
    expect(s3.requests).toHaveLength(1);
    const paused = await blobs.read("a/file");
    await sleep(2_000);
    expect((await buffer(paused ?? Readable.from([]))).equals(LARGE)).toBe(true);
  });

  test("requests share a connection, except the one that begins an upload in parts", async () => {
    const blobs = open();
    await blobs.put("a/file", Buffer.from("x"));
    await blobs.stat("a/file");
    await readAll(blobs, "a/file");
    expect(s3.connections).toBe(1);
    await blobs.put("a/large", stream(LARGE));
    expect(s3.connections).toBe(2);
  });

  test("only the end of an upload in parts may be silent for as long as S3 needs to put them together", async () => {
    plan("POST uploadId", "silent");
    const blobs = open({}, { longSilenceMs: 1 });
    await expect(blobs.put("a/file", stream(LARGE))).rejects.toMatchObject({
      ...UNAVAILABLE,
      message: /silent/,
    });
    expect(s3.requests.filter(({ kind }) => kind === "PUT uploadId")).toHaveLength(2);
    expect(await contents()).toEqual([]);
  });

  test("bytes in memory leave in small pieces, so that a slow connection is not taken for a silent one", async () => {
    const pieces: Buffer[] = [];
    for await (const piece of bodyOf(LARGE).open()) pieces.push(piece as Buffer);
    expect(Math.max(...pieces.map(({ length }) => length))).toBe(65_536);
    expect(Buffer.concat(pieces).equals(LARGE)).toBe(true);
  });

  test("closing ends a request that waits", async () => {
    s3.objects.set("a/file", LARGE);
    plan("HEAD", "silent");
    const blobs = open();
    const stat = blobs.stat("a/file");
    const refused = expect(stat).rejects.toMatchObject(UNAVAILABLE);
    await expect.poll(() => s3.requests.length).toBe(1);
    await blobs.close();
    await refused;
  });

  test.each([
    [{ secretAccessKey: "another/secret" }, "403 (SignatureDoesNotMatch)"],
    [{ accessKeyId: "ANOTHER" }, "403 (InvalidAccessKeyId)"],
    [{ region: "elsewhere" }, "400 (AuthorizationHeaderMalformed)"],
    [{ bucket: "another" }, "404 (NoSuchBucket)"],
  ])(
    "the wrong setting %j is named by a probe, without a secret and without repetition",
    async (wrong, said) => {
      const error: unknown = await open(wrong)
        .probe()
        .then(
          () => undefined,
          (reason: unknown) => reason,
        );
      expect(error).toMatchObject({
        ...UNAVAILABLE,
        message: expect.stringContaining(`S3 answered ${said}`),
      });
      const { cause, message, stack } = error as Error;
      const shown = [
        message,
        stack,
        JSON.stringify(error),
        JSON.stringify(cause),
        (cause as Error).stack,
      ].join("\n");
      for (const secret of ["secret", "ANOTHER", "TESTACCESSKEY", "Signature="])
        expect(shown).not.toContain(secret);
    },
  );

  test("an upload whose parts are gone is refused, and an earlier blob of this key stays", async () => {
    s3.objects.set("a/file", Buffer.from("earlier"));
    plan("POST uploadId", "forgotten");
    await expect(open().put("a/file", stream(LARGE))).rejects.toMatchObject(UNAVAILABLE);
    expect(s3.objects.get("a/file")?.toString()).toBe("earlier");
    expect(await contents()).toEqual(["a/file"]);
  });

  test("a bucket that is gone is no missing blob", async () => {
    const blobs = open({ bucket: "another" });
    await expect(blobs.read("a/file")).rejects.toMatchObject(UNAVAILABLE);
    await expect(blobs.delete("a/file")).rejects.toMatchObject(UNAVAILABLE);
  });

  test("more objects than fit into one answer are all listed", async () => {
    for (let n = 0; n < 2_001; n++) s3.objects.set(`a/${n}`, Buffer.alloc(1));
    expect(await listAll(open())).toHaveLength(2_001);
  });

  test("objects of others in the bucket are not listed", async () => {
    s3.objects.set("a/file", LARGE);
    for (const key of ["plain", "a/b/c", "a/ä", "a/"]) s3.objects.set(key, Buffer.from("x"));
    expect(await listAll(open())).toEqual([{ key: "a/file", size: LARGE.length }]);
  });
});

describe.skipIf(!canMakeCertificates())("S3 blobs over https", () => {
  let s3: S3Server;
  let front: TlsFront;
  let folder: string;
  let certificate: TestCertificate;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "parley-s3-tls-"));
    certificate = await makeCertificate(folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  beforeEach(async () => {
    s3 = await startS3Server();
    front = await startTlsFront(certificate, s3.settings.endpoint);
  });
  afterEach(async () => {
    await front.close();
    await s3.stop();
  });
  const settings = () => ({ ...s3.settings, endpoint: front.url });

  describe("with a certificate that this process trusts", () => {
    let distrust: () => void;
    beforeAll(() => void (distrust = trust(certificate)));
    afterAll(() => distrust());

    blobsContract(async () => {
      await (await openS3Blobs(settings(), folder, Date.now())).close();
      const incoming = () => readdir(join(folder, INCOMING_FOLDER));
      return {
        blobs: s3Blobs(settings(), folder, HASTE),
        contents: async () => [...s3.contents(), ...(await incoming())],
        dispose: async () => {},
      };
    });
  });

  test("with another certificate are refused with what to do, and nothing is sent", async () => {
    const probed = s3Blobs(settings(), folder, HASTE).probe();
    const error: unknown = await probed.catch((reason: unknown) => reason);
    expect(error).toMatchObject(UNAVAILABLE);
    expect((error as Error).message).toContain(
      "S3 is not used: its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT), so name the file with the certificate of its authority in NODE_EXTRA_CA_CERTS",
    );
    expect(s3.requests).toEqual([]);
  });
});
