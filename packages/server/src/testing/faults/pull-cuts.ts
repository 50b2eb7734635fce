/**
 * Fault K20: the line of a client is cut after each frame of what it pulls, with a piece of the next, while more is written to it. What
 * it then has must be without holes, and once it is back it must show what a device shows that was never cut.
 */
import { firstDifference } from "@parley/core/testing/first-difference";
import { createChance } from "@parley/core/testing/prng";
import { type Person, befriend, join, makeGroup, say } from "../people.ts";
import { type Cutter, startCutter } from "./cutter.ts";
import {
  type CoreDevice,
  holesBelowCursor,
  shownBy,
  startDevice,
  unendedLoadings,
  untilQuiet,
} from "./core-device.ts";
import type { Report } from "./report.ts";
import { pull } from "./scene.ts";
import { until } from "./until.ts";

export interface PullCutsOptions {
  url: string;
  seed: number;
  /** Messages that wait for the client. */
  rows: number;
  /** Cuts at every so many frames. */
  every: number;
  /** Planted: takes for the client what it has after the cut, without letting it come back. */
  isLeftCut?: boolean;
}

export async function runPullCuts(options: PullCutsOptions): Promise<Report> {
  const cutter = await startCutter(options.url);
  const violations: string[] = [];
  let cuts = 0;
  let missed = 0;
  try {
    const scene = await fill(options);
    const whole = await startDevice(scene.ann, { name: `whole ${options.seed}` });
    await untilQuiet(whole);
    // Its login and what it pulls; what comes later is not of the pull.
    const frames = whole.wires[0]?.frames.length ?? 0;
    const chance = createChance(options.seed);
    for (let frame = 0; frame < frames; frame += options.every) {
      const bytes = chance.below(12);
      const problems = await cutAt({
        frame,
        bytes,
        cutter,
        scene,
        whole,
        isLeftCut: options.isLeftCut ?? false,
      });
      if (problems === "not cut") missed++;
      else {
        cuts++;
        violations.push(
          ...problems.map((problem) => `cut after frame ${frame} and ${bytes} bytes: ${problem}`),
        );
      }
    }
    whole.stop();
    const fresh = await startDevice(scene.ann, { name: `fresh ${options.seed}` });
    await untilQuiet(fresh);
    // What was pushed to it meanwhile and what one pulls anew is the same.
    const difference = firstDifference(shownBy(fresh), shownBy(whole));
    if (difference !== undefined) violations.push(`never cut, but ${difference}`);
    fresh.stop();
  } finally {
    await cutter.close();
  }
  if (cuts < missed) violations.push(`only ${cuts} cuts, ${missed} did not come about`);
  return {
    name: `K20 cut while pulling (seed ${options.seed})`,
    done: `${cuts} cuts at every ${options.every === 1 ? "frame" : `${options.every}th frame`} of a pull of ${options.rows} messages`,
    violations,
  };
}

interface Scene {
  ann: Person;
  bob: Person;
  groupId: number;
}

/** Two thirds from a friend, one third in a group, and a request that makes the system chat speak. */
async function fill({ url, rows, seed }: PullCutsOptions): Promise<Scene> {
  const tag = `K20x${seed}`;
  const come = (name: string) => join(url, { userName: `${name}${tag}`, nickName: name });
  const [ann, bob, cat] = [await come("ann"), await come("bob"), await come("cat")];
  await befriend(ann, bob);
  const groupId = await makeGroup(bob, [ann]);
  for (let n = 0; n < rows; n++) {
    const content = `message ${n} ${"x".repeat(n % 200)}`;
    if (n % 3 === 0) await bob.ok("sendGroupMessage", { body: { groupId, type: 0, content } });
    else await say(bob, ann, content);
  }
  await cat.ok("applyFriend", { body: { friendId: ann.id, remark: "hello" } });
  return { ann, bob, groupId };
}

interface Cut {
  frame: number;
  bytes: number;
  cutter: Cutter;
  scene: Scene;
  whole: CoreDevice;
  isLeftCut: boolean;
}

async function cutAt({ frame, bytes, cutter, scene, whole, isLeftCut }: Cut): Promise<string[] | "not cut"> {
  const { ann, bob } = scene;
  let sockets = 0;
  cutter.treat(({ isSocket }) =>
    isSocket && sockets++ === 0 ? { cutAfterFrames: { frames: frame, bytes } } : undefined,
  );
  const device = await startDevice(ann, { name: `cut ${frame} of ${ann.userName}`, url: cutter.url });
  try {
    await say(bob, ann, `while it pulls, at ${frame}`);
    await until("the cut", () => (device.wires[0]?.isClosed === true ? undefined : "still connected"), 2_000);
  } catch (error) {
    device.stop();
    if (!(error instanceof Error) || !error.message.startsWith("waited in vain until the cut")) throw error;
    return "not cut";
  }
  const rows = await pull(ann);
  const stored = { private: idsOf(rows.private), group: idsOf(rows.group) };
  const problems = await holesBelowCursor(device, stored);
  if (!isLeftCut) {
    device.client.session.retryConnection();
    await untilQuiet(device);
  }
  await untilQuiet(whole);
  const newest = Math.max(...stored.private);
  const hasNewest = (one: CoreDevice) =>
    one.client
      .getState()
      .chats.byKey[`PRIVATE:${bob.id}`]?.window.messages.some(({ id }) => id === newest) === true
      ? undefined
      : `message ${newest} is not there`;
  await until("the newest message came", () => hasNewest(whole));
  if (!isLeftCut) await until("the newest message came", () => hasNewest(device));
  const difference = firstDifference(shownBy(whole), shownBy(device));
  if (difference !== undefined) problems.push(difference);
  problems.push(...unendedLoadings(device), ...(await holesBelowCursor(device, stored)));
  device.stop();
  return problems;
}

function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map(({ id }) => id);
}
