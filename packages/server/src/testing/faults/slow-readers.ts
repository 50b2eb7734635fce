/**
 * Fault K19: somebody's line takes a kilobyte a second, or nothing at all, while much is sent to him. His socket is closed, nobody else
 * waits for him, and once his line is well he has everything.
 */
import { befriend, join, say } from "../people.ts";
import { firstDifference, shownBy, startDevice, untilQuiet } from "./core-device.ts";
import { startCutter } from "./cutter.ts";
import type { Report } from "./report.ts";
import { until } from "./until.ts";

export interface SlowReadersOptions {
  url: string;
  /** Bytes a second; 0: a zero window. */
  rates: readonly number[];
  /** Messages sent meanwhile, of about 8 KB each. */
  messages: number;
}

/** The longest text, of signs that take four bytes each. */
const LONG = "\u{1F4E8}".repeat(1_024);

export async function runSlowReaders({ url, rates, messages }: SlowReadersOptions): Promise<Report> {
  const cutter = await startCutter(url);
  const violations: string[] = [];
  try {
    for (const rate of rates) {
      const wrong = (what: string) => void violations.push(`${rate} bytes a second: ${what}`);
      const [sender, reader] = [await join(url), await join(url)];
      await befriend(sender, reader);
      const quick = await startDevice(reader, { name: `quick ${reader.userName}` });
      const slow = await startDevice(reader, { name: `slow ${reader.userName}`, url: cutter.url });
      for (const device of [quick, slow]) await untilQuiet(device);
      cutter.slow(rate, ({ isSocket }) => isSocket);
      // A message that is quoted travels along.
      const { id: quoteMessageId } = await say(sender, reader, LONG);
      for (let sent = 0; sent < messages; sent++) {
        const body = { recvId: reader.id, type: 0, content: LONG, quoteMessageId };
        await sender.ok("sendPrivateMessage", { body });
      }
      const shown = () => quick.client.getState().chats.byKey[`PRIVATE:${sender.id}`]?.window.messages.length;
      await until("the quick one has all", () =>
        shown() === messages + 1 ? undefined : `${shown()} messages`,
      );
      if (quick.wires.length !== 1) wrong("the quick one was cut too");
      // Its new socket is none of those that were slowed down; the old one ends at the server, whatever its line still holds.
      slow.client.session.retryConnection();
      await until("the server gives the slow one up", () =>
        slow.wires.length > 1 || slow.wires[0]?.isClosed === true ? undefined : "it is still connected",
      ).catch((error: Error) => wrong(error.message));
      await untilQuiet(slow);
      await until("the slow one has all", () => firstDifference(shownBy(quick), shownBy(slow)), 10_000).catch(
        (error: Error) => wrong(error.message),
      );
      for (const device of [quick, slow]) device.stop();
    }
  } finally {
    await cutter.close();
  }
  return {
    name: "K19 slow readers",
    done: `${rates.map((rate) => `${rate} bytes/s`).join(", ")}; ${messages} messages of 8 KB each`,
    violations,
  };
}
