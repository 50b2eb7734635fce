import { setTimeout as sleep } from "node:timers/promises";
import { ChatType, Cmd } from "@parley/protocol/codes";
import type { WebSocket } from "ws";
import { openHttpConnection, type HttpConnection } from "./http-connection.ts";
import { openSocket, type SocketLogin } from "./socket.ts";

/** A person who writes to a friend: the headers of the sender, the sender's second device, and the friend's socket login. */
export interface FriendPair {
  headers: Record<string, string>;
  recvId: number;
  secondDevice: SocketLogin;
  peer: SocketLogin;
}

/** The result of sending. Every message was acknowledged and delivered to all of its sockets. */
export interface SendResult {
  messages: number;
  seconds: number;
}

/** Sends private messages to one server. */
export interface PrivateLoad {
  /** Closed loop: the first `concurrency` senders each send a message when the previous one is answered. */
  sendClosed(messages: number, concurrency: number): Promise<SendResult>;
  /** Open loop: messages are sent at a constant rate over all senders, even if earlier ones are not answered. */
  sendPaced(perSecond: number, seconds: number): Promise<SendResult>;
  /** The same while the senders say so many times a second that they type. The friends' sockets need the capability `typing`. */
  sendPacedTyping(perSecond: number, seconds: number, signalsPerSecond: number): Promise<SendResult>;
  close(): void;
}

interface Sender {
  connection: HttpConnection;
  send(): Promise<void>;
}

const DELIVER_WITHIN_MS = 20_000;
const DELIVERIES_EACH = 2;
const CONTENTS = [
  "好的，明天下午三点在老地方见，记得带上那本书。",
  "Running ten minutes late, please start without me!",
  "收到 #点赞; I'll send the figures tonight.",
  "Did the build pass? 我这边还是红的。",
];

/** Connects all pairs: the senders and their second devices to one server, and their friends to the same or another node. */
export async function openPrivateLoad(
  { origin, peerOrigin }: { origin: string; peerOrigin: string },
  pairs: readonly FriendPair[],
): Promise<PrivateLoad> {
  let delivered = 0;
  const prefix = `{"cmd":${Cmd.PRIVATE},`;
  const onFrame = (frame: Buffer) => {
    if (frame.toString("latin1", 0, prefix.length) === prefix) delivered++;
  };
  const run = Date.now().toString(36);
  let serial = 0;

  const sockets: WebSocket[] = [];
  const senders: Sender[] = [];
  for (const [index, pair] of pairs.entries()) {
    sockets.push(await openSocket(origin, pair.secondDevice, onFrame));
    sockets.push(await openSocket(peerOrigin, pair.peer, onFrame));
    const connection = await openHttpConnection(origin, "/api/message/private/send", pair.headers);
    const content = CONTENTS[index % CONTENTS.length] ?? "";
    const bodyStart = `{"recvId":${pair.recvId},"content":${JSON.stringify(content)},"type":0,"tmpId":"${run}-`;
    const serialDigits = 24;
    const bytes = Buffer.byteLength(bodyStart) + serialDigits + 2;
    senders.push({
      connection,
      send: () => connection.post(`${bodyStart}${String(++serial).padStart(serialDigits, "0")}"}`, bytes),
    });
  }

  /** Waits for the last push, so that all of the server's work is measured. */
  const waitForPushes = async (target: number) => {
    const end = Date.now() + DELIVER_WITHIN_MS;
    const missing = () => target - delivered;
    while (missing() > 0) {
      if (Date.now() > end) throw new Error(`${missing()} of ${target} pushes did not arrive`);
      await sleep(1);
    }
    if (missing() < 0) throw new Error(`${-missing()} pushes too many`);
  };

  let typers: Sender[] | undefined;
  const openTypers = (): Promise<Sender[]> =>
    Promise.all(
      pairs.map(async ({ headers, recvId }) => {
        const connection = await openHttpConnection(origin, "/api/message/typing", headers);
        const body = JSON.stringify({ type: ChatType.PRIVATE, targetId: recvId, what: "text", on: true });
        return { connection, send: () => connection.post(body, Buffer.byteLength(body)) };
      }),
    );

  /** Signals reach the friend alone. */
  const sendPaced = async (
    perSecond: number,
    seconds: number,
    signals: readonly Pace[],
  ): Promise<SendResult> => {
    const messages = Math.round(perSecond * seconds);
    const signalCount = signals.reduce((sum, { count }) => sum + count, 0);
    const target = delivered + messages * DELIVERIES_EACH + signalCount;
    const began = performance.now();
    await Promise.all([{ senders, count: messages, perSecond }, ...signals].map(sendAtPace));
    const elapsed = (performance.now() - began) / 1_000;
    await waitForPushes(target);
    return { messages, seconds: elapsed };
  };

  return {
    async sendClosed(messages, concurrency) {
      const target = delivered + messages * DELIVERIES_EACH;
      const began = performance.now();
      let unsent = messages;
      await Promise.all(
        senders.slice(0, concurrency).map(async (sender) => {
          while (unsent > 0) {
            unsent--;
            await sender.send();
          }
        }),
      );
      const seconds = (performance.now() - began) / 1_000;
      await waitForPushes(target);
      return { messages, seconds };
    },
    sendPaced: (perSecond, seconds) => sendPaced(perSecond, seconds, []),
    async sendPacedTyping(perSecond, seconds, signalsPerSecond) {
      typers ??= await openTypers();
      const signals = Math.round(signalsPerSecond * seconds);
      return sendPaced(perSecond, seconds, [
        { senders: typers, count: signals, perSecond: signalsPerSecond },
      ]);
    },
    close() {
      for (const { connection } of [...senders, ...(typers ?? [])]) connection.close();
      for (const socket of sockets) socket.terminate();
    },
  };
}

interface Pace {
  senders: readonly Sender[];
  count: number;
  perSecond: number;
}

/** Sends at a constant rate over all senders, even if earlier sends are not answered. */
async function sendAtPace({ senders, count, perSecond }: Pace): Promise<void> {
  const began = performance.now();
  const idle = [...senders];
  const answers: Promise<void>[] = [];
  while (answers.length < count) {
    const due = Math.min(count, Math.floor(((performance.now() - began) / 1_000) * perSecond));
    while (answers.length < due) {
      const sender = idle.shift();
      // All senders wait for an answer; the next is sent late, as soon as one is free.
      if (sender === undefined) break;
      answers.push(sender.send().then(() => void idle.push(sender)));
    }
    await sleep(1);
  }
  await Promise.all(answers);
}
