import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Blobs, BlobTooLargeError } from "../../ports/blobs.ts";

/** A new, empty blob storage for one test. */
export interface BlobsSubject {
  blobs: Blobs;
  /** The names of everything stored, leftovers included. */
  contents(): Promise<string[]>;
  dispose(): Promise<void>;
}

/** Tests of all rules of `ports/blobs.ts`. The test of each adapter calls it inside a `describe`. */
export function blobsContract(createSubject: () => Promise<BlobsSubject>): void {
  let subject: BlobsSubject;
  let blobs: Blobs;
  beforeEach(async () => {
    subject = await createSubject();
    blobs = subject.blobs;
  });
  afterEach(() => subject.dispose());

  const bytes = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
  const sha256Of = (data: Buffer) => createHash("sha256").update(data).digest("hex");
  const readText = async (key: string, range?: { start: number; end: number }) => {
    const stream = await blobs.read(key, range);
    return stream && (await buffer(stream)).toString("latin1");
  };

  test("a blob put from a buffer or a stream is read back with the same bytes", async () => {
    expect(await blobs.put("a1/photo.png", bytes)).toEqual({ size: 256, sha256: sha256Of(bytes) });
    const more = Buffer.from("more");
    expect(await blobs.put("a2/photo.png", Readable.from([bytes, more]))).toEqual({
      size: 260,
      sha256: sha256Of(Buffer.concat([bytes, more])),
    });
    expect(await readText("a1/photo.png")).toBe(bytes.toString("latin1"));
    expect(await readText("a2/photo.png")).toBe(`${bytes.toString("latin1")}more`);
    expect(await blobs.stat("a2/photo.png")).toEqual({ size: 260 });
  });

  test("an empty blob is stored and read back", async () => {
    const nothing = Buffer.alloc(0);
    expect(await blobs.put("e/empty", nothing)).toEqual({ size: 0, sha256: sha256Of(nothing) });
    expect(await blobs.stat("e/empty")).toEqual({ size: 0 });
    expect(await readText("e/empty")).toBe("");
  });

  test("a range read returns its bytes, both ends included", async () => {
    await blobs.put("r/range", Buffer.from("0123456789"));
    expect(await readText("r/range", { start: 0, end: 0 })).toBe("0");
    expect(await readText("r/range", { start: 3, end: 6 })).toBe("3456");
    expect(await readText("r/range", { start: 8, end: 99 })).toBe("89");
    expect(await readText("r/range", { start: 10, end: 10 })).toBe("");
  });

  test("stat and read of an unknown key return undefined, and deleting it does nothing", async () => {
    expect(await blobs.stat("no/where")).toBeUndefined();
    expect(await blobs.read("no/where")).toBeUndefined();
    await blobs.delete("no/where");
  });

  test("deleting a blob does not delete another one in the same folder", async () => {
    await blobs.put("d/one", bytes);
    await blobs.put("d/two", bytes);
    await blobs.delete("d/one");
    expect(await blobs.stat("d/one")).toBeUndefined();
    expect(await blobs.stat("d/two")).toEqual({ size: 256 });
    await blobs.delete("d/two");
    expect(await subject.contents()).toEqual([]);
  });

  test("the list has every stored blob with its size, and nothing that is unfinished or deleted", async () => {
    const listed = async () => {
      const all: [string, number][] = [];
      for await (const { key, size } of blobs.list()) all.push([key, size]);
      return all.toSorted(([one], [other]) => (one < other ? -1 : 1));
    };
    expect(await listed()).toEqual([]);
    await blobs.put("l1/one", bytes);
    await blobs.put("l1/two", Buffer.alloc(0));
    await blobs.put("l2/one", Buffer.from("x"));
    await blobs.put("l3/gone", bytes);
    await blobs.delete("l3/gone");
    const unfinished = new Readable({ read: () => undefined });
    unfinished.push("part");
    const put = blobs.put("l4/part", unfinished);
    expect(await listed()).toEqual([
      ["l1/one", 256],
      ["l1/two", 0],
      ["l2/one", 1],
    ]);
    unfinished.destroy(new Error("connection lost"));
    await expect(put).rejects.toThrow("connection lost");
  });

  test("more bytes than allowed are refused and leave nothing; as many as allowed are stored", async () => {
    const many = () => Readable.from([bytes, bytes, bytes]);
    await expect(blobs.put("m/more", many(), 767)).rejects.toThrow(BlobTooLargeError);
    expect(await subject.contents()).toEqual([]);
    expect((await blobs.put("m/exact", many(), 768)).size).toBe(768);
  });

  test("chunks of any size are stored in their order", async () => {
    const chunks = [1, 262_143, 300_000, 1, 0, 262_144, 1_000_000, 7].map((size, n) =>
      Buffer.alloc(size, n + 1),
    );
    const whole = Buffer.concat(chunks);
    expect(await blobs.put("s/sizes", Readable.from(chunks))).toEqual({
      size: whole.length,
      sha256: sha256Of(whole),
    });
    const stream = await blobs.read("s/sizes");
    expect(stream && whole.equals(await buffer(stream))).toBe(true);
  });

  test("a blob of many megabytes is stored and read whole, and from its middle", async () => {
    const whole = Buffer.alloc(20_000_000);
    for (let at = 0; at < whole.length; at += 4) whole.writeUInt32LE(at, at);
    const chunks = Array.from({ length: 200 }, (_, n) => whole.subarray(n * 100_000, (n + 1) * 100_000));
    const expected = { size: whole.length, sha256: sha256Of(whole) };
    expect(await blobs.put("g/stream", Readable.from(chunks))).toEqual(expected);
    expect(await blobs.put("g/buffer", whole)).toEqual(expected);
    for (const key of ["g/stream", "g/buffer"]) {
      expect(await blobs.stat(key)).toEqual({ size: whole.length });
      const stream = await blobs.read(key);
      expect(stream && whole.equals(await buffer(stream))).toBe(true);
      const middle = await blobs.read(key, { start: 9_000_001, end: 17_000_000 });
      expect(middle && whole.subarray(9_000_001, 17_000_001).equals(await buffer(middle))).toBe(true);
    }
    expect((await subject.contents()).toSorted()).toEqual(["g/buffer", "g/stream"]);
  });

  test("reading can stop at any byte", async () => {
    await blobs.put("h/half", Buffer.alloc(3_000_000));
    const unread = await blobs.read("h/half");
    unread?.destroy();
    const stream = await blobs.read("h/half");
    for await (const chunk of stream ?? []) {
      expect((chunk as Buffer).length).toBeGreaterThan(0);
      break;
    }
    expect(stream?.destroyed).toBe(true);
    expect(await readText("h/half", { start: 0, end: 0 })).toBe("\0");
  });

  test.each([1_000, 12_000_000])(
    "an upload that is interrupted after %i bytes leaves nothing in the storage",
    async (bytesBefore) => {
      const interrupted = Readable.from(
        (async function* () {
          for (let rest = bytesBefore; rest > 0; rest -= 1_000_000)
            yield Buffer.alloc(Math.min(rest, 1_000_000));
          throw new Error("connection lost");
        })(),
      );
      await expect(blobs.put("c/cut", interrupted)).rejects.toThrow("connection lost");
      expect(await blobs.stat("c/cut")).toBeUndefined();
      expect(await subject.contents()).toEqual([]);
    },
  );

  test("a probe says nothing if all is well, and leaves nothing", async () => {
    await blobs.probe();
    expect(await subject.contents()).toEqual([]);
  });

  test("an interrupted upload does not change the blob that has this key", async () => {
    await blobs.put("c/old", Buffer.from("old"));
    const interrupted = new Readable({
      read() {
        this.push("new");
        this.destroy(new Error("connection lost"));
      },
    });
    await expect(blobs.put("c/old", interrupted)).rejects.toThrow("connection lost");
    expect(await readText("c/old")).toBe("old");
  });

  test("a key that is not two names with one slash is refused and finds nothing", async () => {
    const invalidKeys = [
      "",
      "a",
      "/",
      "a/",
      "/a",
      "a/b/c",
      "../a",
      "a/..",
      "./a",
      "a/.",
      "a\\b/c",
      "a/b c",
      "a/\0",
      "ä/b",
      "a/b\n",
    ];
    for (const key of invalidKeys) {
      await expect(blobs.put(key, bytes), key).rejects.toThrow("not a blob key");
      expect(await blobs.stat(key), key).toBeUndefined();
      expect(await blobs.read(key), key).toBeUndefined();
      await blobs.delete(key);
    }
    expect(await subject.contents()).toEqual([]);
    await blobs.put("A-z_0.9/..x", bytes);
    expect(await subject.contents()).toEqual(["A-z_0.9/..x"]);
  });
}
