import { setTimeout as sleep } from "node:timers/promises";
import { Cmd, MessageType } from "@parley/protocol/codes";
import { HISTORY_PAGE_MAX } from "@parley/protocol/limits";
import type { WebSocket } from "ws";
import { call } from "../benchmark-person.ts";
import { openHttpConnection, type HttpConnection } from "./http-connection.ts";
import type { SendResult } from "./private-load.ts";
import { openSocket, type SocketLogin } from "./socket.ts";

/** People who write to a group, and the members whose sockets receive the messages. */
export interface BenchmarkGroup {
  groupId: number;
  /** Headers of each writer's connection; none of them has a socket. */
  writers: Record<string, string>[];
  members: SocketLogin[];
}

/** Sends messages to a group of one server. */
export interface GroupLoad {
  /** The first `concurrency` writers each send a message when the previous one is answered. Resolves when all pushes have arrived. */
  send(messages: number, concurrency: number): Promise<SendResult>;
  /** Remembers the newest messages of the group, at most a page of the history, for `react`. */
  prepareReactions(): Promise<number>;
  /** The first writer reacts to each of these messages, one after the other. Resolves when all pushes have arrived. */
  react(key: string): Promise<SendResult>;
  close(): void;
}

const DELIVER_WITHIN_MS = 30_000;
const CONTENT = "周六早上八点半，东门集合，记得带水。 See you all there!";
const SERIAL_DIGITS = 24;

/** Connects the people of a group to one server. */
export async function openGroupLoad(origin: string, benchmarkGroup: BenchmarkGroup): Promise<GroupLoad> {
  let delivered = 0;
  const prefix = `{"cmd":${Cmd.GROUP},`;
  const sockets: WebSocket[] = [];
  for (const member of benchmarkGroup.members) {
    sockets.push(
      await openSocket(origin, { ...member, caps: ["extras"] }, (frame) => {
        if (frame.toString("latin1", 0, prefix.length) === prefix) delivered++;
      }),
    );
  }
  const connections: HttpConnection[] = [];
  for (const headers of benchmarkGroup.writers)
    connections.push(await openHttpConnection(origin, "/api/message/group/send", headers));

  const run = Date.now().toString(36);
  let serial = 0;
  const bodyStart = `{"groupId":${benchmarkGroup.groupId},"content":${JSON.stringify(CONTENT)},"type":0,"tmpId":"${run}-`;
  const bytes = Buffer.byteLength(bodyStart) + SERIAL_DIGITS + 2;
  const post = (connection: HttpConnection) =>
    connection.post(`${bodyStart}${String(++serial).padStart(SERIAL_DIGITS, "0")}"}`, bytes);

  /** Does `work`, and waits for the pushes of so many messages. */
  async function deliver(messages: number, work: () => Promise<unknown>): Promise<SendResult> {
    const target = delivered + messages * sockets.length;
    const began = performance.now();
    await work();
    const seconds = (performance.now() - began) / 1_000;
    const end = Date.now() + DELIVER_WITHIN_MS;
    while (delivered < target) {
      if (Date.now() > end) throw new Error(`${target - delivered} of ${target} pushes did not arrive`);
      await sleep(1);
    }
    if (delivered > target) throw new Error(`${delivered - target} pushes too many`);
    return { messages, seconds };
  }

  const [writer = {}] = benchmarkGroup.writers;
  const reactor = await openHttpConnection(origin, "/api/message/reaction", writer, "PUT");
  let ids: number[] = [];

  return {
    send: (messages, concurrency) => {
      let unsent = messages;
      return deliver(messages, () =>
        Promise.all(
          connections.slice(0, concurrency).map(async (connection) => {
            while (unsent > 0) {
              unsent--;
              await post(connection);
            }
          }),
        ),
      );
    },
    async prepareReactions() {
      const path = `/message/group/history?groupId=${benchmarkGroup.groupId}&size=${HISTORY_PAGE_MAX}`;
      const rows = await call<{ id: number; type: number }[]>(origin, "GET", path, writer);
      ids = rows.filter(({ type }) => type === MessageType.TEXT).map(({ id }) => id);
      return ids.length;
    },
    react: (key) =>
      deliver(ids.length, async () => {
        for (const id of ids) {
          const body = JSON.stringify({ id, key, on: true });
          await reactor.post(body, Buffer.byteLength(body));
        }
      }),
    close() {
      reactor.close();
      for (const connection of connections) connection.close();
      for (const socket of sockets) socket.terminate();
    },
  };
}
