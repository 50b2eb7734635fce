/**
 * Fault K18: the server's clock jumps forwards and backwards while people write. Ids and times never decrease, a recent message can be
 * recalled, nobody is signed out, no rate limit lasts longer, and all devices show the same.
 */
import { firstDifference } from "@parley/core/testing/first-difference";
import { RECALL_SECONDS_DEFAULT, SHAKE_INTERVAL_MS } from "@parley/protocol/limits";
import type { PrivateMessage } from "@parley/protocol/message";
import { type TestPerson, befriend, registerPerson, sendText } from "@parley/server/testing/test-person";
import type { ClockServer } from "../controlled-servers.ts";
import { type ClientDevice, visibleStateOf, startDevice, waitUntilIdle } from "./client-device.ts";
import type { Report } from "./report.ts";
import { waitUntil } from "./wait-until.ts";

/** The server and the jumps of its clock. */
export interface ClockJumpsOptions {
  server: ClockServer;
  /** The jumps, each from the true time. */
  byMs: readonly number[];
  /** A planted fault: each jump goes further by this time than the battery assumes. */
  furtherMs?: number;
}

const HOUR_MS = 3_600_000;
/** The jumps of the full battery. */
export const JUMPS: readonly number[] = [-HOUR_MS, HOUR_MS, -10 * 365 * 24 * HOUR_MS, -1_000, 24 * HOUR_MS];

/** Runs the battery. */
export async function runClockJumps(options: ClockJumpsOptions): Promise<Report> {
  const { server, byMs, furtherMs = 0 } = options;
  const violations: string[] = [];
  for (const by of byMs) {
    const addViolation = (what: string) => void violations.push(`a jump by ${by / 1_000} s: ${what}`);
    try {
      // New people for each jump, so that their tokens are from the true time.
      await jump({ url: server.url, byMs: by, set: () => server.setClock(by + furtherMs), addViolation });
    } catch (error) {
      addViolation(error instanceof Error ? error.message : String(error));
    }
    await server.setClock(0);
  }
  return {
    name: "K18 clock jumps",
    done: `by ${byMs.map((ms) => `${ms / 1_000} s`).join(", ")}, and back each time`,
    violations,
  };
}

interface Jump {
  url: string;
  byMs: number;
  set(): Promise<void>;
  addViolation(what: string): void;
}

async function jump({ url, byMs, set, addViolation }: Jump): Promise<void> {
  const [ann, bob] = [await registerPerson(url), await registerPerson(url)];
  await befriend(ann, bob);
  const devices = [
    await startDevice(ann, { name: `ann ${ann.userName}` }),
    await startDevice(bob, { name: `bob ${bob.userName}` }),
  ];
  for (const device of devices) await waitUntilIdle(device);
  // Other client instances: a device does not get pushes of its own actions.
  const [annTab, bobTab] = [ann.tab("second tab"), bob.tab("second tab")];
  await sendByApi(annTab, bobTab, "before");
  const recent = await sendText(annTab, bobTab, "sent before the jump, recalled after it");
  await sendNudge(annTab, bobTab);

  await set();
  await sendByClients(devices, [bob, ann]);
  const recalled = await annTab.call("recallPrivateMessage", { params: { id: recent.id } });
  // The recall is only allowed for a limited time.
  const isTooLate = byMs > RECALL_SECONDS_DEFAULT * 1_000;
  if (!isTooLate && recalled.envelope.code !== 200) {
    addViolation(`a recent message cannot be recalled: ${JSON.stringify(recalled.envelope)}`);
  }
  const secondNudge = await bobTab.call("sendPrivateMessage", {
    body: { recvId: ann.id, type: 92, content: "" },
  });
  if (-byMs >= SHAKE_INTERVAL_MS && secondNudge.envelope.code !== 200)
    addViolation(`bob cannot send a nudge: ${JSON.stringify(secondNudge.envelope)}`);

  for (const device of devices) {
    await waitUntilIdle(device);
    if (device.client.getState().session.kind !== "active")
      addViolation(`${device.person.userName} was signed out`);
    // The old tokens may have expired, so the expected state is read with a new login.
    const now = await device.person.elsewhere({ terminal: 1 });
    const friendId = device.person === ann ? bob.id : ann.id;
    checkOrder(await now.ok("privateHistory", { query: { friendId, size: 100 } }), addViolation);
    const fresh = await startDevice(now, { name: `fresh ${now.userName}` });
    await waitUntilIdle(fresh);
    await waitUntil(
      "a new device and the old one show the same",
      () => firstDifference(visibleStateOf(fresh), visibleStateOf(device)),
      10_000,
    ).catch((error: Error) => addViolation(error.message));
    fresh.stop();
  }
  for (const device of devices) device.stop();
}

async function sendByApi(ann: TestPerson, bob: TestPerson, text: string): Promise<void> {
  for (let n = 0; n < 5; n++)
    await (n % 2 === 0 ? sendText(ann, bob, `${text} ${n}`) : sendText(bob, ann, `${text} ${n}`));
}

async function sendNudge(ann: TestPerson, bob: TestPerson): Promise<void> {
  await bob.ok("sendPrivateMessage", { body: { recvId: ann.id, type: 92, content: "" } });
}

async function sendByClients(
  devices: readonly ClientDevice[],
  friends: readonly TestPerson[],
): Promise<void> {
  for (let n = 0; n < 10; n++) {
    const index = n % devices.length;
    devices[index]?.client.chats.sendText(`PRIVATE:${friends[index]?.id ?? 0}`, `after ${n}`);
  }
  for (const device of devices) {
    await waitUntil("all messages are sent", () =>
      Object.values(device.client.getState().chats.byKey).some(({ window }) =>
        window.messages.some(({ id }) => id === null),
      )
        ? "a message is not sent"
        : undefined,
    );
  }
}

function checkOrder(messages: readonly PrivateMessage[], addViolation: (what: string) => void): void {
  const rows = [...messages].sort((a, b) => a.id - b.id);
  for (const [index, row] of rows.entries()) {
    const last = rows[index - 1];
    if (last !== undefined && row.sendTime < last.sendTime) {
      addViolation(
        `message ${row.id} was sent ${(last.sendTime - row.sendTime) / 1_000} s before message ${last.id}`,
      );
    }
  }
}
