/** What requests get while the server ends. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { createTestApp } from "../testing/test-app.ts";
import { registerPerson } from "../testing/test-person.ts";

/** A page that may call the API. */
const ORIGIN = "https://page.example.org";
const HEAD = `Host: x\r\nAccept-Language: en\r\nOrigin: ${ORIGIN}\r\n`;

const closed = (socket: Socket) =>
  new Promise((resolve) => (socket.destroyed ? resolve(true) : socket.on("close", resolve)));

/** An open connection, and what has arrived on it. */
function open(port: number): { socket: Socket; text(): string } {
  const socket = connect(port, "127.0.0.1");
  socket.setEncoding("utf8").on("error", () => {});
  let text = "";
  socket.on("data", (part: string) => (text += part));
  return {
    socket,
    text: () => text,
  };
}

test("while the server closes, requests under way are answered, and new ones on open connections get an envelope and the end", async () => {
  const server = await createTestApp({
    env: { RATE_LIMITS: "off", CORS_ORIGINS: ORIGIN, PUBLIC_URL: "https://chat.example.org" },
  });
  const { port } = server.app;
  const person = await registerPerson(server.url);
  const token = `accessToken: ${encodeURIComponent(person.tokens.accessToken)}\r\n`;
  const note = JSON.stringify({ recvId: person.id, type: 0, content: "note" });
  const post =
    `POST /api/message/private/send HTTP/1.1\r\n${HEAD}${token}Content-Type: application/json\r\n` +
    `Content-Length: ${note.length}\r\n\r\n`;
  const [underWay, others] = [open(port), [open(port), open(port)]];
  // The connections that will have new requests are busy as well, because idle ones are closed at once. The answer to a request before it says
  // that the server has read the beginning.
  for (const one of [underWay, ...others]) {
    one.socket.write(`GET /healthz HTTP/1.1\r\n${HEAD}\r\n${post}${note.slice(0, 5)}`);
    while (!one.text().includes('"alive"')) await once(one.socket, "data");
  }
  const ended = server[Symbol.asyncDispose]();
  const closing = open(port);
  await closed(closing.socket);
  const rest = note.slice(5);
  underWay.socket.write(rest);
  for (const one of others) one.socket.write(rest + post + note);
  for (const one of [underWay, ...others]) {
    await closed(one.socket);
    // The first one is that of the health check.
    const answers = one
      .text()
      .split(/(?=HTTP\/1\.1 )/)
      .slice(1);
    const statuses = answers.map((answer) => answer.slice("HTTP/1.1 ".length).split(" ", 1)[0]);
    expect(statuses).toEqual(one === underWay ? ["200"] : ["200", "503"]);
    expect(one.text()).not.toContain('"error":"Service Unavailable"');
    for (const answer of answers.slice(1)) {
      expect(answer).toMatch(/\r\nconnection: close/i);
      expect(answer).toMatch(/\r\nx-request-id: /i);
      expect(answer).toContain(`\r\naccess-control-allow-origin: ${ORIGIN}\r\n`);
      expect(answer).toMatch(/\r\nstrict-transport-security: /i);
    }
  }
  await ended;
});
