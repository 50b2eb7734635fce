/**
 * Fault K19: somebody's line takes a kilobyte a second, or nothing at all, while much is sent to him. His socket is closed, nobody else
 * waits for him, and once his line is well he has everything.
 */
import { firstDifference } from "@parley/core/testing/first-difference";
import { CloseCode } from "@parley/protocol/codes";
import { type TestPerson, befriend, registerPerson, sendText } from "../test-person.ts";
import { visibleStateOf, startDevice, waitUntilIdle } from "./client-device.ts";
import { startFaultProxy } from "./fault-proxy.ts";
import type { Report } from "./report.ts";
import { waitUntil } from "./wait-until.ts";

export interface SlowReadersOptions {
  url: string;
  /** Bytes a second; 0: a zero window. */
  rates: readonly number[];
  /** At most so many messages are sent, of about 8 KB each, until he is given up. */
  mostMessages: number;
}

const BATCH = 50;

/** The longest text, of signs that take four bytes each. */
const LONG = "\u{1F4E8}".repeat(1_024);

export async function runSlowReaders({ url, rates, mostMessages }: SlowReadersOptions): Promise<Report> {
  const proxy = await startFaultProxy(url);
  const violations: string[] = [];
  let total = 0;
  try {
    for (const rate of rates) {
      const wrong = (what: string) => void violations.push(`${rate} bytes a second: ${what}`);
      const [sender, reader, other] = [
        await registerPerson(url),
        await registerPerson(url),
        await registerPerson(url),
      ];
      for (const friend of [reader, other]) await befriend(sender, friend);
      const slow = await startDevice(reader, { name: `slow ${reader.userName}`, url: proxy.url });
      const swift = await startDevice(other, { name: `swift ${other.userName}` });
      for (const device of [swift, slow]) await waitUntilIdle(device);
      proxy.throttle(rate, ({ isSocket }) => isSocket);
      // A message that is quoted travels along.
      const { id: quoteMessageId } = await sendText(sender, reader, LONG);
      let sent = 0;
      while (sent < mostMessages && (await isOnline(sender, reader))) {
        for (let n = 0; n < BATCH; n++) {
          await sender.ok("sendPrivateMessage", {
            body: { recvId: reader.id, type: 0, content: LONG, quoteMessageId },
          });
        }
        sent += BATCH;
        await sendText(sender, other, `after ${sent}`);
      }
      total += sent;
      if (await isOnline(sender, reader)) {
        wrong(`after ${sent} messages he counts as online`);
        continue;
      }
      const heard = () =>
        swift.client
          .getState()
          .chats.byKey[`PRIVATE:${sender.id}`]?.window.messages.filter(({ content }) =>
            content.startsWith("after"),
          ).length ?? 0;
      await waitUntil("the other one has all", () =>
        heard() === sent / BATCH ? undefined : `he has ${heard()}`,
      );
      if (swift.connections.length !== 1) wrong("the other one was cut too");
      proxy.throttle(Infinity, ({ isSocket }) => isSocket);
      await waitUntil("the slow one is told", () =>
        slow.connections[0]?.isClosed === true ? undefined : "he is not",
      );
      if (slow.connections[0]?.code !== CloseCode.TOO_SLOW) wrong(`closed with ${slow.connections[0]?.code}`);
      slow.client.session.reconnectNow();
      await waitUntilIdle(slow);
      const fresh = await startDevice(reader, { name: `fresh ${reader.userName}` });
      await waitUntilIdle(fresh);
      await waitUntil(
        "he has all",
        () => firstDifference(visibleStateOf(fresh), visibleStateOf(slow)),
        10_000,
      ).catch((error: Error) => wrong(error.message));
      for (const device of [swift, slow, fresh]) device.stop();
    }
  } finally {
    await proxy.close();
  }
  return {
    name: "K19 slow readers",
    done: `${rates.map((rate) => `${rate} bytes/s`).join(", ")}; given up within ${total} messages of 8 KB`,
    violations,
  };
}

async function isOnline(asker: TestPerson, person: TestPerson): Promise<boolean> {
  return (await asker.ok("findOnlineTerminals", { query: { userIds: [person.id] } })).length > 0;
}
