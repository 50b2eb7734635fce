import { setTimeout as sleep } from "node:timers/promises";
import { expect, test as base } from "@playwright/test";
import { startFaultProxy } from "@parley/reliability/faults/fault-proxy";
import { fastBrowser } from "../src/browsers.ts";
import { hears, pictureMotion } from "../src/call-media.ts";
import { callWindow, patient, picture, connectCall } from "../src/calls.ts";
import { type RelayedServer, openRelayedPair, startRelayedServer } from "../src/relayed-calls.ts";
import { takeToasts } from "../src/toasts.ts";
import { hasTurnServer } from "../src/turn-server.ts";

const test = base.extend<object, { relayed: RelayedServer }>({
  relayed: [
    async ({}, use) => {
      const relayed = await startRelayedServer();
      await use(relayed);
      await relayed.dispose();
    },
    { scope: "worker" },
  ],
});

const browserOptions = fastBrowser();
// A computer without a network has the loopback interface alone.
test.use({
  launchOptions: {
    ...browserOptions,
    args: [...(browserOptions.args ?? []), "--allow-loopback-in-peer-connection"],
  },
});

test.skip(!hasTurnServer(), "coturn is not installed and could not be");

test("a call outlives outages of its media for 4 s and of everything for 12 s and 20 s, and ends with its reason when they last", async ({
  browser,
  relayed,
}) => {
  test.slow();
  const signals = await startFaultProxy(relayed.server.url);
  const people = await openRelayedPair(browser, relayed, signals.url);
  const [lin, bo] = people;
  await connectCall(lin, bo, "video");
  const expectMedia = async () => {
    for (const person of people) {
      await patient.poll(() => pictureMotion(picture(person))).toBeGreaterThan(0.01);
      await patient.poll(() => hears(person.page, 1)).toBe(true);
    }
  };
  await expectMedia();

  relayed.relay.drop(true);
  await sleep(4_000);
  for (const person of people) expect(await pictureMotion(picture(person))).toBe(0);
  relayed.relay.drop(false);
  await expectMedia();

  // The sockets are closed, and nobody can connect.
  relayed.relay.drop(true);
  signals.rejectConnections(true);
  signals.resetConnections();
  await sleep(12_000);
  for (const person of people)
    await patient(callWindow(person).getByText(person.t("call.reconnecting"))).toBeVisible();
  signals.rejectConnections(false);
  relayed.relay.drop(false);
  await expectMedia();

  // The sockets stay open, and nothing arrives.
  relayed.relay.drop(true);
  signals.stall(true);
  await sleep(20_000);
  signals.stall(false);
  relayed.relay.drop(false);
  await expectMedia();

  relayed.relay.drop(true);
  const ends = new RegExp(["call.end.lost", "call.end.hungUp"].map((id) => lin.t(id)).join("|"), "i");
  for (const { page } of people)
    await expect.poll(async () => (await takeToasts(page)).join("\n"), { timeout: 60_000 }).toMatch(ends);
  for (const person of people) await expect(callWindow(person)).toHaveCount(0);
  relayed.relay.drop(false);
  for (const person of people) {
    expect(person.console.unexpectedErrors()).toEqual([]);
    await person.context.close();
  }
  await signals.close();
});
