/** What the libraries below would answer in their own way: always an envelope with the id of the request, in the language of the client. */
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BODY_MAX_BYTES } from "@parley/protocol/limits";
import { type TestApp, createTestApp } from "../testing/test-app.ts";
import { registerPerson } from "../testing/test-person.ts";

let server: TestApp;
/** Waits less long for the end of a request. */
let impatient: TestApp;
beforeAll(async () => {
  server = await createTestApp({ env: { RATE_LIMITS: "off" } });
  impatient = await createTestApp({ env: { RATE_LIMITS: "off" }, wholeRequestMs: 300 });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await impatient[Symbol.asyncDispose]();
});

/** Sends bytes and returns what comes back until the server closes the connection. */
function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.setEncoding("utf8");
  let text = "";
  socket.on("data", (part: string) => (text += part));
  socket.on("error", () => {});
  socket.write(bytes);
  return new Promise((resolve) => socket.on("close", () => resolve(text)));
}

const HEAD = "Host: x\r\nAccept-Language: en\r\nConnection: close\r\n";
const LONG = "x".repeat(20_000);
const LARGE = "x".repeat(BODY_MAX_BYTES + 1);
const JSON_POST = `POST /api/login HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n`;

const CASES: readonly [what: string, status: number, bytes: string][] = [
  ["bytes that are no HTTP", 400, `hello\r\n${HEAD}\r\n`],
  ["an unknown method", 400, `NOPE / HTTP/1.1\r\n${HEAD}\r\n`],
  ["a method that nobody serves", 404, `PROPFIND /api/login HTTP/1.1\r\n${HEAD}\r\n`],
  ["TRACE", 404, `TRACE / HTTP/1.1\r\n${HEAD}\r\n`],
  ["no host", 400, "GET /api/login HTTP/1.1\r\nAccept-Language: en\r\nConnection: close\r\n\r\n"],
  ["a broken header", 400, `GET / HTTP/1.1\r\n${HEAD}no colon\r\n\r\n`],
  ["too long headers", 431, `GET / HTTP/1.1\r\n${HEAD}X-Long: ${LONG}\r\n\r\n`],
  ["a too long path", 431, `GET /${LONG} HTTP/1.1\r\n${HEAD}\r\n`],
  ["a path that is not encoded well", 400, `GET /%zz HTTP/1.1\r\n${HEAD}\r\n`],
  [
    "a too long parameter",
    414,
    `DELETE /api/message/private/recall/${"1".repeat(300)} HTTP/1.1\r\n${HEAD}\r\n`,
  ],
  ["an unknown path of the API", 404, `GET /api/none HTTP/1.1\r\n${HEAD}\r\n`],
  ["a wrong method", 405, `GET /api/login HTTP/1.1\r\n${HEAD}\r\n`],
  ["malformed JSON", 400, `${JSON_POST}Content-Length: 1\r\n\r\n{`],
  [
    "another type",
    415,
    `POST /api/login HTTP/1.1\r\n${HEAD}Content-Type: text/xml\r\nContent-Length: 4\r\n\r\n<a/>`,
  ],
  [
    "a malformed type",
    415,
    `POST /api/login HTTP/1.1\r\n${HEAD}Content-Type: ;\r\nContent-Length: 4\r\n\r\n<a/>`,
  ],
  ["a too large body", 413, `${JSON_POST}Content-Length: ${LARGE.length}\r\n\r\n${LARGE}`],
  ["a length that is no number", 400, `${JSON_POST}Content-Length: many\r\n\r\n`],
  ["two lengths", 400, `${JSON_POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
  ["a length and chunks", 400, `${JSON_POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`],
  ["a broken chunk", 400, `${JSON_POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
  ["an unknown expectation", 400, `${JSON_POST}Expect: wonders\r\nContent-Length: 2\r\n\r\n{}`],
  ["a request that does not end", 408, `${JSON_POST}Content-Length: 9\r\n\r\n{`],
  ["headers that do not end", 408, "GET / HTTP/1.1\r\nAccept-Language: en\r\nHost: "],
];

test.each(CASES)("%s: %i, in an envelope", async (_, status, bytes) => {
  const { app } = status === 408 ? impatient : server;
  const answer = await exchange(app.port, bytes);
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  expect(head.split("\r\n")[0]).toContain(`HTTP/1.1 ${status} `);
  expect(head).toMatch(/\r\nx-request-id: [\w.:-]+/i);
  expect(head).toMatch(/\r\nx-node: \w+/i);
  expect(head).toMatch(/\r\ncontent-type: application\/json; charset=utf-8/i);
  const envelope = JSON.parse(body) as { code: number; message: string; data: null; key: string };
  expect(envelope).toMatchObject({ code: expect.any(Number), data: null, key: expect.any(String) });
  // A request whose headers have not arrived names no language.
  if (status !== 408) expect(envelope.message).not.toMatch(/\p{Script=Han}/u);
});

test("malformed uploads are refused in an envelope", async () => {
  const person = await registerPerson(server.url);
  const token = encodeURIComponent(person.tokens.accessToken);
  const post = (type: string, body: string) =>
    exchange(
      server.app.port,
      `POST /api/image/upload HTTP/1.1\r\n${HEAD}accessToken: ${token}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  for (const [type, body] of [
    ["multipart/form-data", "x"],
    ["multipart/form-data; boundary=a", "--b\r\n\r\nx"],
    [
      "multipart/form-data; boundary=a",
      '--a\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx',
    ],
    ["text/plain", "x"],
  ] as const) {
    const answer = await post(type, body);
    expect(answer).toMatch(/^HTTP\/1\.1 (200|4\d\d) /);
    expect(answer).toMatch(/x-request-id: /i);
    expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")))).toMatchObject({ data: null });
  }
});

test("a broken WebSocket handshake is refused without a page", async () => {
  const upgrade = `GET /im HTTP/1.1\r\n${HEAD.replace("close", "upgrade")}Upgrade: websocket\r\n\r\n`;
  const answer = await exchange(server.app.port, upgrade);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).not.toContain("html");
});
