import type { Response } from "@playwright/test";
import { sendTexts } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";

const BYTES_MAX = 340_000;
const FILES_MAX = 16;

test("UI8 until the first chat is usable, the browser loads few and small scripts and styles", async ({
  friends,
  cast,
  openBrowser,
}) => {
  await sendTexts(friends.lin, friends.bo, ["one", "two"]);
  const bo = await openBrowser(cast.bo);
  // What the page loads some seconds later, for when there is no network, is not part of it, be the machine so slow that it begins first.
  await bo.page.addInitScript(() => {
    const { setTimeout: after } = window;
    window.setTimeout = ((run: TimerHandler, ms = 0, ...parts: unknown[]) =>
      ms < 4_000 ? after(run, ms, ...parts) : 0) as typeof window.setTimeout;
  });
  const responses: Response[] = [];
  bo.page.on("response", (response) => {
    if (/\.(js|css)$/.test(new URL(response.url()).pathname)) responses.push(response);
  });
  await bo.openAndLogIn();
  await bo.openChat(cast.lin.nickName);
  await bo.expectTexts(["one", "two"]);
  await bo.send("three");
  await bo.expectMessage("three");
  const sizes = await Promise.all(responses.map((response) => response.request().sizes()));
  const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
  expect(responses.length).toBeGreaterThan(3);
  expect(responses.length, responses.map((response) => response.url()).join("\n")).toBeLessThanOrEqual(
    FILES_MAX,
  );
  expect(bytes).toBeLessThanOrEqual(BYTES_MAX);
});
