/**
 * Fault K18: the server's clock jumps, forwards and backwards, while people write. Ids and times never go down, what was sent lately
 * can be taken back, nobody is signed out, nobody waits for a time that has been, and all show the same.
 */
import { firstDifference } from "@parley/core/testing/first-difference";
import { RECALL_SECONDS_DEFAULT, SHAKE_INTERVAL_MS } from "@parley/protocol/limits";
import type { PrivateMessage } from "@parley/protocol/message";
import { type TestPerson, befriend, registerPerson, sendText } from "../test-person.ts";
import type { ClockServer } from "../server-process.ts";
import { type ClientDevice, visibleStateOf, startDevice, waitUntilIdle } from "./client-device.ts";
import type { Report } from "./report.ts";
import { waitUntil } from "./wait-until.ts";

export interface ClockJumpsOptions {
  server: ClockServer;
  /** How far the clock jumps from the true time. */
  byMs: readonly number[];
  /** Planted: it jumps so much further than it is said to. */
  furtherMs?: number;
}

const HOUR_MS = 3_600_000;
export const JUMPS: readonly number[] = [-HOUR_MS, HOUR_MS, -10 * 365 * 24 * HOUR_MS, -1_000, 24 * HOUR_MS];

export async function runClockJumps(options: ClockJumpsOptions): Promise<Report> {
  const { server, byMs, furtherMs = 0 } = options;
  const violations: string[] = [];
  for (const by of byMs) {
    const wrong = (what: string) => void violations.push(`a jump by ${by / 1_000} s: ${what}`);
    try {
      // New people each time: what they hold was made under the true time.
      await jump({ url: server.url, byMs: by, set: () => server.setClock(by + furtherMs), wrong });
    } catch (error) {
      wrong(error instanceof Error ? error.message : String(error));
    }
    await server.setClock(0);
  }
  return {
    name: "K18 the clock jumps",
    done: `by ${byMs.map((ms) => `${ms / 1_000} s`).join(", ")}, and back each time`,
    violations,
  };
}

interface Jump {
  url: string;
  byMs: number;
  set(): Promise<void>;
  wrong(what: string): void;
}

async function jump({ url, byMs, set, wrong }: Jump): Promise<void> {
  const [ann, bob] = [await registerPerson(url), await registerPerson(url)];
  await befriend(ann, bob);
  const devices = [
    await startDevice(ann, { name: `ann ${ann.userName}` }),
    await startDevice(bob, { name: `bob ${bob.userName}` }),
  ];
  for (const device of devices) await waitUntilIdle(device);
  // As by other windows of theirs, or their devices would not be told.
  const [annByHand, bobByHand] = [ann.tab("by hand"), bob.tab("by hand")];
  await sendByApi(annByHand, bobByHand, "before");
  const late = await sendText(annByHand, bobByHand, "sent before, taken back behind");
  await sendNudge(annByHand, bobByHand);

  await set();
  await sendByClients(devices, [bob, ann]);
  const recalled = await annByHand.call("recallPrivateMessage", { params: { id: late.id } });
  // An access token of before may have ended by now; its client has had another.
  const isTooLate = byMs > RECALL_SECONDS_DEFAULT * 1_000;
  if (!isTooLate && recalled.envelope.code !== 200) {
    wrong(`what was just sent cannot be taken back: ${JSON.stringify(recalled.envelope)}`);
  }
  const again = await bobByHand.call("sendPrivateMessage", {
    body: { recvId: ann.id, type: 92, content: "" },
  });
  if (-byMs >= SHAKE_INTERVAL_MS && again.envelope.code !== 200)
    wrong(`bob cannot shake: ${JSON.stringify(again.envelope)}`);

  for (const device of devices) {
    await waitUntilIdle(device);
    if (device.client.getState().session.kind !== "active") wrong(`${device.person.userName} was signed out`);
    // Of before the jump, or of another login: what is asked with a new one is the truth.
    const now = await device.person.elsewhere({ terminal: 1 });
    const friendId = device.person === ann ? bob.id : ann.id;
    checkOrder(await now.ok("privateHistory", { query: { friendId, size: 100 } }), wrong);
    const fresh = await startDevice(now, { name: `fresh ${now.userName}` });
    await waitUntilIdle(fresh);
    await waitUntil(
      "both show the same",
      () => firstDifference(visibleStateOf(fresh), visibleStateOf(device)),
      10_000,
    ).catch((error: Error) => wrong(error.message));
    fresh.stop();
  }
  for (const device of devices) device.stop();
}

async function sendByApi(ann: TestPerson, bob: TestPerson, words: string): Promise<void> {
  for (let n = 0; n < 5; n++)
    await (n % 2 === 0 ? sendText(ann, bob, `${words} ${n}`) : sendText(bob, ann, `${words} ${n}`));
}

async function sendNudge(ann: TestPerson, bob: TestPerson): Promise<void> {
  await bob.ok("sendPrivateMessage", { body: { recvId: ann.id, type: 92, content: "" } });
}

async function sendByClients(
  devices: readonly ClientDevice[],
  friends: readonly TestPerson[],
): Promise<void> {
  for (let n = 0; n < 10; n++) {
    const at = n % devices.length;
    devices[at]?.client.chats.sendText(`PRIVATE:${friends[at]?.id ?? 0}`, `behind ${n}`);
  }
  for (const device of devices) {
    await waitUntil("all is sent", () =>
      Object.values(device.client.getState().chats.byKey).some(({ window }) =>
        window.messages.some(({ id }) => id === null),
      )
        ? "something is not"
        : undefined,
    );
  }
}

function checkOrder(messages: readonly PrivateMessage[], wrong: (what: string) => void): void {
  const rows = [...messages].sort((a, b) => a.id - b.id);
  for (const [place, row] of rows.entries()) {
    const last = rows[place - 1];
    if (last !== undefined && row.sendTime < last.sendTime) {
      wrong(
        `message ${row.id} was sent ${(last.sendTime - row.sendTime) / 1_000} s before message ${last.id}`,
      );
    }
  }
}
