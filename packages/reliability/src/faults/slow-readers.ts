/**
 * Fault K19: a client reads one kilobyte a second, or nothing, while it gets many messages. Its socket must be closed, nobody else may
 * have to wait, and when it reads normally again it must get everything.
 */
import { firstDifference } from "@parley/core/testing/first-difference";
import { CloseCode } from "@parley/protocol/codes";
import { type TestPerson, befriend, registerPerson, sendText } from "@parley/server/testing/test-person";
import { visibleStateOf, startDevice, waitUntilIdle } from "./client-device.ts";
import { startFaultProxy } from "./fault-proxy.ts";
import type { Report } from "./report.ts";
import { waitUntil } from "./wait-until.ts";

/** How slowly the clients read. */
export interface SlowReadersOptions {
  url: string;
  /** Bytes per second; 0 is a zero window. */
  rates: readonly number[];
  /** The maximum number of messages, of about 8 KB each, until the socket must be closed. */
  messagesMax: number;
}

const BATCH = 50;

/** The longest text, of characters with four bytes each. */
const LONG_TEXT = "\u{1F4E8}".repeat(1_024);

/** Runs the battery. */
export async function runSlowReaders({ url, rates, messagesMax }: SlowReadersOptions): Promise<Report> {
  const proxy = await startFaultProxy(url);
  const violations: string[] = [];
  let total = 0;
  try {
    for (const rate of rates) {
      const addViolation = (what: string) => void violations.push(`${rate} bytes a second: ${what}`);
      const [sender, slowReader, fastReader] = [
        await registerPerson(url),
        await registerPerson(url),
        await registerPerson(url),
      ];
      for (const friend of [slowReader, fastReader]) await befriend(sender, friend);
      const slow = await startDevice(slowReader, { name: `slow ${slowReader.userName}`, url: proxy.url });
      const fast = await startDevice(fastReader, { name: `fast ${fastReader.userName}` });
      for (const device of [fast, slow]) await waitUntilIdle(device);
      proxy.throttle(rate, ({ isSocket }) => isSocket);
      // A quote makes each push longer.
      const { id: quoteMessageId } = await sendText(sender, slowReader, LONG_TEXT);
      let sent = 0;
      while (sent < messagesMax && (await isOnline(sender, slowReader))) {
        for (let n = 0; n < BATCH; n++) {
          await sender.ok("sendPrivateMessage", {
            body: { recvId: slowReader.id, type: 0, content: LONG_TEXT, quoteMessageId },
          });
        }
        sent += BATCH;
        await sendText(sender, fastReader, `after ${sent}`);
      }
      total += sent;
      if (await isOnline(sender, slowReader)) {
        addViolation(`still online after ${sent} messages`);
        continue;
      }
      const receivedCount = () =>
        fast.client
          .getState()
          .chats.byKey[`PRIVATE:${sender.id}`]?.window.messages.filter(({ content }) =>
            content.startsWith("after"),
          ).length ?? 0;
      await waitUntil("the other client has all messages", () =>
        receivedCount() === sent / BATCH ? undefined : `it has ${receivedCount()}`,
      );
      if (fast.connections.length !== 1) addViolation("the other client was disconnected too");
      proxy.throttle(Infinity, ({ isSocket }) => isSocket);
      await waitUntil("the slow client notices that its socket is closed", () =>
        slow.connections[0]?.isClosed === true ? undefined : "its socket is open",
      );
      if (slow.connections[0]?.code !== CloseCode.TOO_SLOW)
        addViolation(`the socket was closed with ${slow.connections[0]?.code}`);
      slow.client.session.reconnectNow();
      await waitUntilIdle(slow);
      const fresh = await startDevice(slowReader, { name: `fresh ${slowReader.userName}` });
      await waitUntilIdle(fresh);
      await waitUntil(
        "a new device and the slow one show the same",
        () => firstDifference(visibleStateOf(fresh), visibleStateOf(slow)),
        10_000,
      ).catch((error: Error) => addViolation(error.message));
      for (const device of [fast, slow, fresh]) device.stop();
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

async function isOnline(viewer: TestPerson, person: TestPerson): Promise<boolean> {
  return (await viewer.ok("findOnlineTerminals", { query: { userIds: [person.id] } })).length > 0;
}
