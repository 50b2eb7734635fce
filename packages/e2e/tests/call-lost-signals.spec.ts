import type { Page } from "@playwright/test";
import { MessageType } from "@parley/protocol/codes";
import { hears, pictureMotion } from "../src/call-media.ts";
import { answer, call, patient, picture, timer } from "../src/calls.ts";
import { expect, test } from "../src/fixtures.ts";

const SIGNALS: readonly unknown[] = [
  MessageType.RTC_OFFER,
  MessageType.RTC_ANSWER,
  MessageType.RTC_CANDIDATE,
];

/** Loses each signal of a connection when it arrives at the page for the first time. Returns the types of those that were lost. */
async function loseSignalsOnce(page: Page): Promise<ReadonlySet<unknown>> {
  const seen = new Set<string>();
  const lost = new Set<unknown>();
  await page.routeWebSocket(/\/im$/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      const { data } = JSON.parse(String(message)) as { data: { type?: unknown; content?: unknown } | null };
      const key = `${String(data?.type)} ${String(data?.content)}`;
      if (!SIGNALS.includes(data?.type) || seen.has(key)) return socket.send(message);
      seen.add(key);
      lost.add(data?.type);
    });
  });
  return lost;
}

test("PC51 a call whose offer, answer and candidates are lost once each has sound and moving pictures at both sides", async ({
  friends,
  cast,
  openBrowser,
}) => {
  void friends;
  const [lin, bo] = [await openBrowser(cast.lin), await openBrowser(cast.bo)];
  const lost = [await loseSignalsOnce(lin.page), await loseSignalsOnce(bo.page)] as const;
  for (const person of [lin, bo]) await person.openAndLogIn();
  await lin.openChat(cast.bo.nickName);
  await call(lin, bo, "video");
  await answer(bo);
  // Each signal that was lost is only sent again after some seconds.
  for (const person of [lin, bo]) await expect(timer(person)).toBeVisible({ timeout: 60_000 });
  for (const person of [lin, bo]) {
    await patient.poll(() => pictureMotion(picture(person))).toBeGreaterThan(0.01);
    await patient.poll(() => hears(person.page, 1)).toBe(true);
  }
  expect(lost[0]).toEqual(new Set([MessageType.RTC_ANSWER, MessageType.RTC_CANDIDATE]));
  expect(lost[1]).toEqual(new Set([MessageType.RTC_OFFER, MessageType.RTC_CANDIDATE]));
});
