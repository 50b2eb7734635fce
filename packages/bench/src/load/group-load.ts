import { setTimeout as sleep } from "node:timers/promises";
import { Cmd } from "@parley/protocol/codes";
import type { WebSocket } from "ws";
import { openHttpConnection, type HttpConnection } from "./http-connection.ts";
import type { SendResult } from "./private-load.ts";
import { openSocket, type SocketLogin } from "./socket.ts";

/** People who write to one group, and the members whose sockets hear them. */
export interface BenchmarkGroup {
  groupId: number;
  /** Headers of each writer's connection; none of them has a socket. */
  writers: Record<string, string>[];
  members: SocketLogin[];
}

export interface GroupLoad {
  /** The first `lanes` writers each post the next message when the last is answered; ends when everybody has everything. */
  send(messages: number, lanes: number): Promise<SendResult>;
  close(): void;
}

const DELIVER_WITHIN_MS = 30_000;
const CONTENT = "周六早上八点半，东门集合，记得带水。 See you all there!";
const SERIAL_DIGITS = 24;

/** Connects a group's people to one server. */
export async function openGroupLoad(origin: string, benchmarkGroup: BenchmarkGroup): Promise<GroupLoad> {
  let delivered = 0;
  const prefix = `{"cmd":${Cmd.GROUP},`;
  const sockets: WebSocket[] = [];
  for (const member of benchmarkGroup.members) {
    sockets.push(
      await openSocket(origin, member, (frame) => {
        if (frame.toString("latin1", 0, prefix.length) === prefix) delivered++;
      }),
    );
  }
  const lanes: HttpConnection[] = [];
  for (const headers of benchmarkGroup.writers)
    lanes.push(await openHttpConnection(origin, "/api/message/group/send", headers));

  const run = Date.now().toString(36);
  let serial = 0;
  const before = `{"groupId":${benchmarkGroup.groupId},"content":${JSON.stringify(CONTENT)},"type":0,"tmpId":"${run}-`;
  const bytes = Buffer.byteLength(before) + SERIAL_DIGITS + 2;
  const post = (httpConnection: HttpConnection) =>
    httpConnection.post(`${before}${String(++serial).padStart(SERIAL_DIGITS, "0")}"}`, bytes);

  return {
    async send(messages, count) {
      const target = delivered + messages * sockets.length;
      const began = performance.now();
      let left = messages;
      await Promise.all(
        lanes.slice(0, count).map(async (httpConnection) => {
          while (left > 0) {
            left--;
            await post(httpConnection);
          }
        }),
      );
      const seconds = (performance.now() - began) / 1_000;
      const end = Date.now() + DELIVER_WITHIN_MS;
      while (delivered < target) {
        if (Date.now() > end) throw new Error(`${target - delivered} of ${target} pushes did not arrive`);
        await sleep(1);
      }
      if (delivered > target) throw new Error(`${delivered - target} pushes too many`);
      return { messages, seconds };
    },
    close() {
      for (const httpConnection of lanes) httpConnection.close();
      for (const socket of sockets) socket.terminate();
    },
  };
}
