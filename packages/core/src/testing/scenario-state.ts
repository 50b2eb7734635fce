import type { SignedInClientOptions } from "../signed-in-client.ts";
import { createDevice, type Device } from "./device.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import type { Fault } from "./fake-server/faults.ts";
import { createFakeServer, type FakeServer } from "./fake-server/fake-server.ts";
import { type Prng, createPrng } from "./prng.ts";
import type { MessageScenarioAction } from "./scenario-actions.ts";
import type { FileScenarioAction } from "./scenario-file-actions.ts";
import type { GroupScenarioAction, WatchedMemberLists } from "./scenario-group-actions.ts";
import type { SendScenarioAction } from "./scenario-send-options.ts";

/** What may happen in a scenario. Occurrences are counted, so that a test can prove that each kind happened. */
export type Occurrence =
  | "sent"
  | "dropped"
  | "droppedInPull"
  | "sentDuringPull"
  | "reloaded"
  | "wiped"
  | "lostAnswer"
  | "lostRequest"
  | "sendRepeated"
  | "read"
  | "friendshipChanged"
  | "gap"
  | "jumped"
  | "showedPast"
  | "rejoined"
  | FileScenarioAction
  | MessageScenarioAction
  | GroupScenarioAction
  | SendScenarioAction;

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
  const counts = {
    sent: 0,
    dropped: 0,
    droppedInPull: 0,
    sentDuringPull: 0,
    reloaded: 0,
    wiped: 0,
    lostAnswer: 0,
    lostRequest: 0,
    sendRepeated: 0,
    read: 0,
    friendshipChanged: 0,
    gap: 0,
    jumped: 0,
    showedPast: 0,
    quoted: 0,
    edited: 0,
    recalled: 0,
    deletedForMe: 0,
    cleared: 0,
    removed: 0,
    markedRead: 0,
    markedUnread: 0,
    pinned: 0,
    muted: 0,
    groupCreated: 0,
    groupInvited: 0,
    groupApplied: 0,
    groupAnswered: 0,
    groupRemoved: 0,
    groupMessagesRemoved: 0,
    groupAdminsChanged: 0,
    groupMuted: 0,
    groupTransferred: 0,
    groupQuit: 0,
    groupDissolved: 0,
    groupChanged: 0,
    groupRights: 0,
    groupSettingsChanged: 0,
    groupNoticeRead: 0,
    groupMembersLoaded: 0,
    mentioned: 0,
    receiptRequested: 0,
    rejoined: 0,
    fileSent: 0,
    fileCancelled: 0,
    fileSentAgain: 0,
  };
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
