import type { SignedInClientOptions } from "../signed-in-client.ts";
import { createDevice, type Device } from "./device.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import type { Fault } from "./fake-server/faults.ts";
import { createFakeServer, type FakeServer } from "./fake-server/fake-server.ts";
import { type Prng, createPrng } from "./prng.ts";
import { MESSAGE_SCENARIO_ACTIONS } from "./scenario-actions.ts";
import { FILE_SCENARIO_ACTIONS } from "./scenario-file-actions.ts";
import { GROUP_SCENARIO_ACTIONS, type WatchedMemberLists } from "./scenario-group-actions.ts";
import { SEND_SCENARIO_ACTIONS } from "./scenario-send-options.ts";

const OCCURRENCES = [
  "sent",
  "dropped",
  "droppedInPull",
  "sentDuringPull",
  "reloaded",
  "wiped",
  "lostAnswer",
  "lostRequest",
  "sendRepeated",
  "read",
  "friendshipChanged",
  "gap",
  "jumped",
  "showedPast",
  "rejoined",
  ...MESSAGE_SCENARIO_ACTIONS,
  ...GROUP_SCENARIO_ACTIONS,
  ...SEND_SCENARIO_ACTIONS,
  ...FILE_SCENARIO_ACTIONS,
] as const;
/**
 * What may happen in a scenario. Occurrences are counted, so that a test can prove that each kind happened. Each shared value of the change
 * feed has one by its name: somebody's was changed.
 */
export type Occurrence = (typeof OCCURRENCES)[number] | `changed ${string}`;

/** A running scenario. */
export interface Scenario {
  readonly random: Prng;
  readonly clock: FakeClock;
  readonly server: FakeServer;
  readonly devices: Device[];
  readonly counts: Record<Occurrence, number>;
  readonly faults: readonly Fault[];
  /** First pulls are cut short, so that windows begin at gaps. */
  readonly hasGaps: boolean;
  /** Often small, so that chats of a few messages have messages outside the window. */
  readonly sizes: SignedInClientOptions;
  textCount: number;
  /** The tmpIds of messages that were sent again, so that their place in the order is open. */
  readonly sentAgain: Set<string>;
  readonly watchedMemberLists: WatchedMemberLists;
}

/** Creates users and devices from a seed; nobody is logged in yet. */
export function createScenario(seed: number, faults: readonly Fault[]): Scenario {
  const random = createPrng(seed);
  const clock = createFakeClock();
  const server = createFakeServer(() => clock.now(), faults);
  const counts = Object.fromEntries(OCCURRENCES.map((name) => [name, 0])) as Record<Occurrence, number>;
  const hasGaps = random.isTrueWithProbability(0.2);
  const sizes = random.pick([{ pageSize: 2, closedWindow: 3 }, { pageSize: 5, closedWindow: 5 }, {}]);
  const scenario: Scenario = {
    random,
    clock,
    server,
    counts,
    faults,
    hasGaps,
    sizes,
    devices: [],
    textCount: 0,
    sentAgain: new Set(),
    watchedMemberLists: new Map(),
  };
  if (hasGaps) server.firstPullMax = 3 + random.below(10);
  const userCount = 2 + random.below(2);
  for (let i = 0; i < userCount; i++) {
    const userName = `user${i + 1}`;
    server.addUser(userName, { isManualApprove: random.isTrueWithProbability(0.7) });
    const devices = random.isTrueWithProbability(0.4) ? 2 : 1;
    for (let n = 0; n < devices; n++) addDevice(scenario, userName, `${userName}${"ab"[n]}`);
  }
  return scenario;
}

/** Adds a device of a user. */
export function addDevice(scenario: Scenario, userName: string, name: string): Device {
  const { clock, server, faults } = scenario;
  const losesMessages = faults.includes("losesMessages");
  const { sizes } = scenario;
  const device = createDevice({ clock, server, userName, name, losesMessages, sizes });
  scenario.devices.push(device);
  return device;
}
