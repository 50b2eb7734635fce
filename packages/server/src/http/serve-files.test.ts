import { randomBytes } from "node:crypto";
import { readFile, readdir, readlink } from "node:fs/promises";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { type FastifyInstance, fastify } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { expectDeleted, imageOf, toPerson, urlsOf } from "../testing/file-messages.ts";
import { type TestApp, createTestApp } from "../testing/test-app.ts";
import { type TestPerson, registerFriends, registerPerson } from "../testing/test-person.ts";
import { uploadFile, uploadPicture } from "../testing/upload.ts";
import { noMetrics } from "../ports/metrics.ts";
import { createSendError } from "./error-answer.ts";
import { type ServedFiles, serveFiles } from "./serve-files.ts";
import { eventually } from "../testing/eventually.ts";

/** The marks of an mp4 file. */
const MP4_HEAD = Buffer.from("00000018667479706d703432000000006d70343269736f6d", "hex");
const MEBIBYTE = 1_048_576;

let server: TestApp;
let person: TestPerson;
let url: string;
let file: Buffer;
beforeAll(async () => {
  server = await createTestApp({ env: { RATE_LIMITS: "off" } });
  person = await registerPerson(server.url);
  url = (await uploadPicture(person)).originUrl;
  file = await readFile(`${server.dataDir}${url}`);
});
afterAll(() => server[Symbol.asyncDispose]());

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(`${server.url}${path}`, { headers, method });
const dispositionOf = async (query: string) =>
  (await get(`${url}?${query}`)).headers.get("content-disposition");
/** Files below the data folder of uploads that this process has open. */
async function openFiles(): Promise<string[]> {
  const links = await Promise.all(
    (await readdir("/proc/self/fd")).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")),
  );
  return links.filter((link) => link.startsWith(`${server.dataDir}/files/`));
}
/** Bytes that this process has read, from files and sockets. */
async function bytesRead(): Promise<number> {
  return Number(/^rchar: (\d+)$/m.exec(await readFile("/proc/self/io", "utf8"))?.[1]);
}

/** A server that has one file of 9 bytes, which may be deleted at any time. */
async function serveOne(blobs: Partial<ServedFiles["blobs"]>): Promise<FastifyInstance> {
  const http = fastify();
  http.setErrorHandler(createSendError(noMetrics, Date.now));
  serveFiles(http, {
    store: { findFile: async () => ({ bytes: 0, isKeptForEver: false }) },
    blobs: { stat: async () => ({ size: 9 }), read: async () => undefined, ...blobs },
    metrics: noMetrics,
  });
  return http;
}

describe("GET /files/...", () => {
  test("L70 a file is served with its type, for other pages to show, and never runs or is guessed at", async () => {
    const answer = await get(url);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "image/png",
      "content-disposition": "inline",
      "content-length": String(file.length),
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "cross-origin",
      "accept-ranges": "bytes",
    });
    expect(Buffer.from(await answer.arrayBuffer()).equals(file)).toBe(true);
  });

  test("L70 an answer to a request without an origin is not given to pages of another origin", async () => {
    await using own = await createTestApp({ env: { CORS_ORIGINS: "https://chat.example.org" } });
    const { originUrl } = await uploadPicture(await registerPerson(own.url));
    for (const origin of [undefined, "https://chat.example.org"]) {
      const { headers } = await fetch(`${own.url}${originUrl}`, {
        headers: { ...(origin !== undefined && { origin }) },
      });
      expect([headers.get("vary"), headers.get("access-control-allow-origin")]).toEqual([
        "Origin",
        origin ?? null,
      ]);
    }
  });

  test("L77 a browser asks before each use of a cached file, without getting it again, until it is recalled", async () => {
    const [a, b] = await registerFriends(server.url);
    const picture = await uploadPicture(a);
    const { id } = await a.ok("sendPrivateMessage", toPerson(b, MessageType.IMAGE, imageOf(picture)));
    for (const path of urlsOf(picture)) {
      const first = await get(path);
      const etag = first.headers.get("etag") ?? "";
      await first.arrayBuffer();
      const again = await get(path, { "if-none-match": etag });
      for (const { headers } of [first, again])
        expect(headers.get("cache-control")).toBe("private, no-cache");
      expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
    }
    await a.ok("recallPrivateMessage", { params: { id } });
    for (const path of urlsOf(picture)) {
      const answer = await get(path, { "if-none-match": `"${path.split("/")[2]}"` });
      expect([answer.status, answer.headers.get("cache-control")]).toEqual([404, "no-store"]);
    }
  });

  test("L78 a picture that an account or a group uses may be cached for ever", async () => {
    const someone = await registerPerson(server.url);
    const { originUrl: headImage, thumbUrl: headImageThumb } = await uploadPicture(someone);
    const cachingOf = async (path: string, headers = {}) =>
      (await get(path, headers)).headers.get("cache-control");
    expect(await cachingOf(headImage)).toBe("private, no-cache");
    await someone.ok("updateUser", { body: { id: someone.id, headImage, headImageThumb } });
    const forEver = "public, max-age=31536000, immutable";
    for (const path of [headImage, headImageThumb]) {
      expect(await cachingOf(path)).toBe(forEver);
      expect(await cachingOf(path, { "if-none-match": "*" })).toBe(forEver);
    }
  });

  test("L70 a file that is deleted while it is being looked up is 404, and the answer describes no file", async () => {
    for (const blobs of [{ stat: async () => undefined }, {}]) {
      await using http = await serveOne(blobs);
      const answer = await http.inject({ url: "/files/a/file.bin", headers: { range: "bytes=0-3" } });
      expect([answer.statusCode, answer.json<{ key: string }>().key]).toEqual([404, "request.notFound"]);
      for (const name of ["etag", "content-range", "content-disposition", "accept-ranges"]) {
        expect([name, answer.headers[name]]).toEqual([name, undefined]);
      }
      expect(answer.headers["cache-control"]).toBe("no-store");
    }
  });

  test.skipIf(process.platform !== "linux")(
    "L79 a reader gets the rest of a file that is deleted",
    async () => {
      const [a, b] = await registerFriends(server.url);
      const data = randomBytes(8 * MEBIBYTE);
      const path = await uploadFile(a, data);
      const { id } = await a.ok(
        "sendPrivateMessage",
        toPerson(b, MessageType.FILE, { name: "a", size: data.length, url: path }),
      );
      const answer = await new Promise<IncomingMessage>((resolve) => {
        httpRequest(`${server.url}${path}`, resolve).end();
      });
      await new Promise((resolve) => answer.once("readable", resolve));
      await a.ok("recallPrivateMessage", { params: { id } });
      await expectDeleted([path], server);
      expect((await buffer(answer)).equals(data)).toBe(true);
    },
  );

  test.each([
    ["text", Buffer.from("<script>alert(1)</script>")],
    ["HTML", Buffer.from("<!doctype html><html><body onload=alert(1)>")],
    ["SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ["PDF", Buffer.from("%PDF-1.7\n%âãÏÓ\n")],
  ])("L71 %s is only ever a download", async (_, data) => {
    const path = await uploadFile(person, data);
    for (const query of ["", "?name=page.html", "?name=a.png&download=0"]) {
      const { headers } = await get(path + query);
      expect(headers.get("content-type")).toBe("application/octet-stream");
      expect(headers.get("content-disposition")).toMatch(/^attachment(;|$)/);
    }
  });

  test.each([
    ["name=Plan.pdf", "inline; filename*=UTF-8''Plan.pdf"],
    ["name=Plan.pdf&download=1", "attachment; filename*=UTF-8''Plan.pdf"],
    ["download=1", "attachment"],
    ["download=0", "inline"],
    ["name=", "inline"],
    [
      `name=${encodeURIComponent("季度 报告.pdf")}`,
      "inline; filename*=UTF-8''%E5%AD%A3%E5%BA%A6%20%E6%8A%A5%E5%91%8A.pdf",
    ],
    [
      `name=${encodeURIComponent(`a"; filename="b.exe`)}`,
      "inline; filename*=UTF-8''a%22%3B%20filename%3D%22b.exe",
    ],
    [`name=${encodeURIComponent("it's (1)*!.png")}`, "inline; filename*=UTF-8''it%27s%20%281%29%2A!.png"],
    [`name=a%0d%0aset-cookie:x=1`, "inline; filename*=UTF-8''aset-cookie%3Ax%3D1"],
    ["name=a%00b%7f%c2%85c", "inline; filename*=UTF-8''abc"],
    [`name=${encodeURIComponent("../../etc/passwd")}`, "inline; filename*=UTF-8''.._.._etc_passwd"],
    [`name=${encodeURIComponent("C:\\x")}`, "inline; filename*=UTF-8''C%3A_x"],
    // It would be shown as "exe.png".
    [`name=${encodeURIComponent("\u202egnp.exe")}`, "inline; filename*=UTF-8''gnp.exe"],
    ["name=%ED%A0%80x", "inline; filename*=UTF-8''%25ED%25A0%2580x"],
    [
      `name=${encodeURIComponent("𠮷".repeat(300))}`,
      `inline; filename*=UTF-8''${"%F0%A0%AE%B7".repeat(255)}`,
    ],
    ["name=a&name=b", "inline"],
  ])(
    "L72 the name %# is sent back encoded, so that it adds nothing to the header",
    async (query, expected) => {
      expect(await dispositionOf(query)).toBe(expected);
    },
  );

  test("L72 a name whose escapes are broken does no harm", async () => {
    const socket = connect(server.app.port, "127.0.0.1");
    socket.write(`GET ${url}?name=%E0%A4%A&download=1 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    const [head = ""] = (await text(socket)).split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1.1 200 /);
    expect(head).toMatch(/content-disposition: attachment; filename\*=UTF-8''[\w%.-]*\r\n/);
  });

  test("L73 HEAD answers what GET would, without the bytes", async () => {
    for (const headers of [{}, { range: "bytes=2-5" }, { range: `bytes=${file.length}-` }] as const) {
      const [whole, head] = [await get(url, headers), await get(url, headers, "HEAD")];
      const described = ({ status, headers: h }: Response) => [
        status,
        ...["content-length", "content-range", "content-type", "content-disposition", "etag"].map((name) =>
          h.get(name),
        ),
      ];
      expect(described(head)).toEqual(described(whole));
      expect((await head.arrayBuffer()).byteLength).toBe(0);
      await whole.arrayBuffer();
    }
    expect((await get("/files/none/none.png", {}, "HEAD")).status).toBe(404);
  });

  test.each([
    ["bytes=0-3", 206, 0, 3],
    ["bytes=10-", 206, 10, Infinity],
    ["bytes=-5", 206, -5, Infinity],
    ["bytes=0-99999999", 206, 0, Infinity],
    ["bytes=0-0", 206, 0, 0],
    ["Bytes=0-3", 206, 0, 3],
    [`bytes=2-${"9".repeat(400)}`, 206, 2, Infinity],
    [`bytes=-${"9".repeat(20)}`, 206, 0, Infinity],
  ])("L74 the range %s is answered with its bytes", async (range, status, start, end) => {
    const answer = await get(url, { range });
    const expected = file.subarray(start, end === Infinity ? undefined : end + 1);
    const first = start < 0 ? file.length + start : start;
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-range")).toBe(
      `bytes ${first}-${first + expected.length - 1}/${file.length}`,
    );
    expect(answer.headers.get("content-length")).toBe(String(expected.length));
    expect(Buffer.from(await answer.arrayBuffer()).equals(expected)).toBe(true);
  });

  test.each(["bytes=99999999-", "bytes=-0", `bytes=${"9".repeat(400)}-`])(
    "L74 the range %s is outside of the file: 416",
    async (range) => {
      const answer = await get(url, { range });
      expect([answer.status, answer.headers.get("content-range")]).toEqual([416, `bytes */${file.length}`]);
      expect((await answer.arrayBuffer()).byteLength).toBe(0);
    },
  );

  test.each([
    "bytes=5-2",
    "bytes=0-1,3-4",
    "lines=1-2",
    "bytes=-",
    "bytes=a-b",
    "bytes=1e3-",
    "bytes=-9".repeat(99),
  ])("L74 the range %j is not understood, and the whole file is sent", async (range) => {
    const answer = await get(url, { range });
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, file.length]);
  });

  test("L75 If-Range sends the whole file to a client that has another one; If-None-Match sends nothing to one that has it", async () => {
    const etag = (await get(url)).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    const part = async (ifRange: string) =>
      (await get(url, { range: "bytes=0-3", "if-range": ifRange })).status;
    expect([await part(etag), await part('"other"'), await part(`W/${etag}`)]).toEqual([206, 200, 200]);
    expect(await part("Wed, 21 Oct 2015 07:28:00 GMT")).toBe(200);
    const cached = await get(url, { "if-none-match": `"x", ${etag}` });
    expect([cached.status, (await cached.arrayBuffer()).byteLength]).toEqual([304, 0]);
    expect((await get(url, { "if-none-match": '"x"' })).status).toBe(200);
  });

  test.skipIf(process.platform !== "linux")(
    "L76 a video of 50 MB is read only where its player jumps to",
    async () => {
      const size = 50 * MEBIBYTE;
      const video = Buffer.concat([MP4_HEAD, Buffer.alloc(size - MP4_HEAD.length)]);
      for (let at = MEBIBYTE; at < size; at += MEBIBYTE) video.writeUInt32BE(at, at);
      const path = await uploadFile(person, video);
      expect((await get(path, {}, "HEAD")).headers.get("content-type")).toBe("video/mp4");
      const before = await bytesRead();
      for (const at of [49, 3, 27, 11].map((n) => n * MEBIBYTE)) {
        const answer = await get(path, { range: `bytes=${at}-${at + 65_535}` });
        const bytes = Buffer.from(await answer.arrayBuffer());
        expect([answer.status, bytes.length, bytes.readUInt32BE()]).toEqual([206, 65_536, at]);
      }
      // A player asks for everything behind the point, and hangs up when it jumps on.
      for (let n = 0; n < 5; n++) {
        const answer = await new Promise<NodeJS.ReadableStream & { destroy(): void }>((resolve, reject) => {
          httpRequest(`${server.url}${path}`, { headers: { range: `bytes=${n * MEBIBYTE}-` } }, resolve)
            .on("error", reject)
            .end();
        });
        await new Promise((resolve) => answer.once("readable", resolve));
        await delay(50);
        answer.destroy();
      }
      await eventually(async () => expect(await openFiles()).toEqual([]));
      // Much less than the 240 MiB that were asked for is read: what the system's buffers of five connections hold, 4 MiB sent and up to as much received. The
      // number is that of the process, so other tests that run in it may read as much again and more.
      expect((await bytesRead()) - before).toBeLessThan(3 * 5 * 8 * MEBIBYTE);
    },
  );

  test.skipIf(process.platform !== "linux")("L73 answers without bytes leave no file open", async () => {
    for (let n = 0; n < 20; n++) {
      await get(url, {}, "HEAD");
      await (await get(url, { range: "bytes=99999999-" })).arrayBuffer();
    }
    await eventually(async () => expect(await openFiles()).toEqual([]));
  });

  test.each([
    "/files/none/none.png",
    "/files/..%2f..%2fsecret/x",
    "/files/a/..%2fsecret",
    "/files/a/%00",
    "/files/a",
  ])("%s is 404", async (path) => {
    const answer = await fetch(`${server.url}${path}`);
    expect([answer.status, ((await answer.json()) as { code: number }).code]).toEqual([404, 500]);
  });
});
