/**
 * The minimal server with which sending is compared: messages are durable, idempotent and delivered, and nothing else. It has no framework,
 * no validation and no rules, but it is as fast as Node allows: one commit for all sends of an event-loop turn, each row is encoded once,
 * and each token is verified once.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import Database from "better-sqlite3";
import { WebSocketServer, type WebSocket } from "ws";
import { tokenChecker, type Claims } from "./token.ts";

interface Send {
  claims: Claims;
  clientId: string | undefined;
  /** To one person, or to the only group, which is everybody. */
  message: { recvId?: number; groupId?: number; content: string; type: number; tmpId: string };
  response: ServerResponse;
}

interface Device {
  socket: WebSocket;
  clientId: string | undefined;
}

const { PORT, HOST, DATA_DIR = ".", SECRET = "" } = process.env;
const check = tokenChecker(SECRET);
const devices = new Map<number, Set<Device>>();

const database = new Database(join(DATA_DIR, "reference.db"));
database.pragma("journal_mode = WAL");
database.pragma("synchronous = FULL");
// As in the product: a longer log needs fewer checkpoints.
database.pragma("wal_autocheckpoint = 4000");
database.exec(`create table if not exists message (
  id integer primary key, tmp_id text, type integer not null, send_id integer not null, recv_id integer not null,
  send_nick_name text not null, content text not null, send_time integer not null, tip text, act text, only_for integer,
  unique (send_id, tmp_id))`);
const begin = database.prepare("begin immediate");
const commit = database.prepare("commit");
const insert = database.prepare(
  `insert into message (tmp_id, type, send_id, recv_id, send_nick_name, content, send_time)
   values (?, ?, ?, ?, ?, ?, ?) on conflict (send_id, tmp_id) do nothing`,
);
const find = database.prepare("select * from message where send_id = ? and tmp_id = ?");

let pending: Send[] = [];

/** Stores the sends of this turn in one commit, and then answers and delivers them. */
function flush(): void {
  const batch = pending;
  pending = [];
  begin.run();
  const rows = batch.map(store);
  commit.run();
  batch.forEach((send, index) => answerAndPush(send, rows[index] ?? ""));
}

/** Stores a message and returns its row as JSON, or the existing row of its tmpId. */
function store({ claims, message }: Send): string {
  const now = Date.now();
  const { type, recvId = 0, content, tmpId } = message;
  const { changes, lastInsertRowid } = insert.run(tmpId, type, claims.sub, recvId, claims.name, content, now);
  if (changes === 1) {
    return encode(Number(lastInsertRowid), tmpId, type, claims.sub, recvId, claims.name, content, now);
  }
  const row = find.get(claims.sub, tmpId) as Record<string, number> & {
    send_nick_name: string;
    content: string;
  };
  return encode(
    row["id"] ?? 0,
    tmpId,
    row["type"] ?? 0,
    claims.sub,
    row["recv_id"] ?? 0,
    row.send_nick_name,
    row.content,
    row["send_time"] ?? 0,
  );
}

function encode(
  id: number,
  tmpId: string,
  type: number,
  sendId: number,
  recvId: number,
  sendNickName: string,
  content: string,
  sendTime: number,
): string {
  return JSON.stringify({
    id,
    tmpId,
    type,
    sendId,
    recvId,
    sendNickName,
    content,
    sendTime,
    status: 1,
    quoteMessage: null,
    isEdited: false,
    editedAt: null,
    tip: null,
    act: null,
  });
}

function answerAndPush(send: Send, row: string): void {
  const answer = Buffer.from(`{"code":200,"message":"ok","data":${row}}`);
  const head = { "content-type": "application/json; charset=utf-8", "content-length": answer.length };
  send.response.writeHead(200, head).end(answer);
  if (send.message.recvId === undefined) return pushToAll(`{"cmd":4,"data":${row}}`);
  const frame = `{"cmd":3,"data":${row}}`;
  for (const device of devices.get(send.message.recvId) ?? []) device.socket.send(frame);
  for (const device of devices.get(send.claims.sub) ?? []) {
    if (device.clientId !== send.clientId) device.socket.send(frame);
  }
}

function pushToAll(frame: string): void {
  for (const ofPerson of devices.values()) for (const device of ofPerson) device.socket.send(frame);
}

function receive(request: IncomingMessage, response: ServerResponse): void {
  const claims = check(decodeURIComponent(String(request.headers["accesstoken"])));
  if (claims === undefined) {
    response.end('{"code":401,"message":"bad token","data":null}');
    return;
  }
  const clientId = request.headers["clientid"] as string | undefined;
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (text: string) => (body += text));
  request.on("end", () => {
    pending.push({ claims, clientId, message: JSON.parse(body) as Send["message"], response });
    if (pending.length === 1) setImmediate(flush);
  });
}

const server = createServer((request, response) => {
  if (request.method === "POST") receive(request, response);
  else response.end("ready");
});

const sockets = new WebSocketServer({ server, path: "/im", perMessageDeflate: false });
sockets.on("connection", (socket) => {
  socket.once("message", (data: Buffer) => {
    const login = JSON.parse(data.toString()) as { data: { accessToken: string; clientId?: string } };
    const claims = check(login.data.accessToken);
    if (claims === undefined) return socket.close(4002);
    const device: Device = { socket, clientId: login.data.clientId };
    const ownDevices = devices.get(claims.sub) ?? new Set();
    devices.set(claims.sub, ownDevices.add(device));
    socket.on("close", () => ownDevices.delete(device));
    socket.send('{"cmd":0,"data":{"epoch":"reference"}}');
  });
});

// Connections are idle while the other server is measured.
server.keepAliveTimeout = 120_000;
server.listen(Number(PORT), HOST);
process.on("SIGTERM", () => {
  for (const socket of sockets.clients) socket.terminate();
  server.closeAllConnections();
  server.close(() => database.close());
});
