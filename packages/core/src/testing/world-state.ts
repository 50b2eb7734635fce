import type { RoomOptions } from "../runtime/room.ts";
import { createDevice, type Device } from "./device.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import type { Fault } from "./fake-server/faults.ts";
import { createFakeServer, type FakeServer } from "./fake-server/server.ts";
import { type Chance, createChance } from "./prng.ts";
import type { Deed } from "./world-deeds.ts";
import type { GroupDeed, Looked } from "./world-groups.ts";
import type { HowDeed } from "./world-talk.ts";

/** What may happen in a world, counted so that nothing worth meeting is left out. */
export type Met =
  | "sent"
  | "dropped"
  | "cutInPull"
  | "pushInPull"
  | "reloaded"
  | "wiped"
  | "lostAnswer"
  | "lostRequest"
  | "retriedKnown"
  | "read"
  | "friended"
  | "gap"
  | "jumped"
  | "wasInPast"
  | "takenBack"
  | Deed
  | GroupDeed
  | HowDeed;

export interface World {
  readonly chance: Chance;
  readonly clock: FakeClock;
  readonly server: FakeServer;
  readonly devices: Device[];
  readonly met: Record<Met, number>;
  readonly faults: readonly Fault[];
  /** First pulls are cut short, so that windows begin at gaps. */
  readonly hasGaps: boolean;
  /** Small, so that chats of a few messages have a past that is not in the window. */
  readonly sizes: RoomOptions;
  texts: number;
  readonly looked: Looked;
}

export function createWorld(seed: number, faults: readonly Fault[]): World {
  const chance = createChance(seed);
  const clock = createFakeClock();
  const server = createFakeServer(() => clock.now(), faults);
  const met = {
    sent: 0,
    dropped: 0,
    cutInPull: 0,
    pushInPull: 0,
    reloaded: 0,
    wiped: 0,
    lostAnswer: 0,
    lostRequest: 0,
    retriedKnown: 0,
    read: 0,
    friended: 0,
    gap: 0,
    jumped: 0,
    wasInPast: 0,
    quoted: 0,
    edited: 0,
    recalled: 0,
    hidden: 0,
    cleared: 0,
    removed: 0,
    markedRead: 0,
    markedUnread: 0,
    pinned: 0,
    silenced: 0,
    groupMade: 0,
    groupInvited: 0,
    groupApplied: 0,
    groupAnswered: 0,
    groupRemoved: 0,
    groupPurged: 0,
    groupManaged: 0,
    groupMuted: 0,
    groupHanded: 0,
    groupQuit: 0,
    groupDissolved: 0,
    groupChanged: 0,
    groupRights: 0,
    groupSet: 0,
    groupNoticeRead: 0,
    groupLooked: 0,
    mentioned: 0,
    askedReceipt: 0,
    takenBack: 0,
  };
  const hasGaps = chance.isLuck(0.2);
  const sizes = chance.pick([{ pageSize: 2, closedWindow: 3 }, { pageSize: 5, closedWindow: 5 }, {}]);
  const world: World = {
    chance,
    clock,
    server,
    met,
    faults,
    hasGaps,
    sizes,
    devices: [],
    texts: 0,
    looked: new Map(),
  };
  if (hasGaps) server.firstPullMax = 3 + chance.below(10);
  const people = 2 + chance.below(2);
  for (let i = 0; i < people; i++) {
    const userName = `user${i + 1}`;
    server.addUser(userName, { isManualApprove: chance.isLuck(0.7) });
    const devices = chance.isLuck(0.4) ? 2 : 1;
    for (let n = 0; n < devices; n++) addDevice(world, userName, `${userName}${"ab"[n]}`);
  }
  return world;
}

export function addDevice(world: World, userName: string, name: string): Device {
  const { clock, server, faults } = world;
  const losesMessages = faults.includes("losesMessages");
  const { sizes } = world;
  const device = createDevice({ clock, server, userName, name, losesMessages, sizes });
  world.devices.push(device);
  return device;
}
