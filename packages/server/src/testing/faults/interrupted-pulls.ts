/**
 * Fault K20: the line of a client is cut after each frame of what it pulls, with a piece of the next, while more is written to it. What
 * it then has must be without holes, and once it is back it must show what a device shows that was never cut.
 */
import { firstDifference } from "@parley/core/testing/first-difference";
import { createPrng } from "@parley/core/testing/prng";
import { type TestPerson, befriend, registerPerson, makeGroup, sendText } from "../test-person.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import {
  type ClientDevice,
  findGapsBelowCursor,
  visibleStateOf,
  startDevice,
  findUnfinishedPulls,
  waitUntilIdle,
} from "./client-device.ts";
import type { Report } from "./report.ts";
import { pull } from "./scenario.ts";
import { waitUntil } from "./wait-until.ts";

export interface InterruptedPullsOptions {
  url: string;
  seed: number;
  /** Messages that wait for the client. */
  rows: number;
  /** Cuts at every so many frames. */
  every: number;
  /** Planted: takes for the client what it has after the cut, without letting it come back. */
  isLeftCut?: boolean;
}

export async function runInterruptedPulls(options: InterruptedPullsOptions): Promise<Report> {
  const proxy = await startFaultProxy(options.url);
  const violations: string[] = [];
  let cuts = 0;
  let missed = 0;
  try {
    const scenario = await fill(options);
    const whole = await startDevice(scenario.ann, { name: `whole ${options.seed}` });
    await waitUntilIdle(whole);
    // Its login and what it pulls; what comes later is not of the pull.
    const frames = whole.connections[0]?.frames.length ?? 0;
    const random = createPrng(options.seed);
    for (let frame = 0; frame < frames; frame += options.every) {
      const bytes = random.below(12);
      const problems = await interruptAt({
        frame,
        bytes,
        proxy,
        scenario,
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
    const fresh = await startDevice(scenario.ann, { name: `fresh ${options.seed}` });
    await waitUntilIdle(fresh);
    // What was pushed to it meanwhile and what one pulls anew is the same.
    const difference = firstDifference(visibleStateOf(fresh), visibleStateOf(whole));
    if (difference !== undefined) violations.push(`never cut, but ${difference}`);
    fresh.stop();
  } finally {
    await proxy.close();
  }
  if (cuts < missed) violations.push(`only ${cuts} cuts, ${missed} did not come about`);
  return {
    name: `K20 cut while pulling (seed ${options.seed})`,
    done: `${cuts} cuts at every ${options.every === 1 ? "frame" : `${options.every}th frame`} of a pull of ${options.rows} messages`,
    violations,
  };
}

interface PullScenario {
  ann: TestPerson;
  bob: TestPerson;
  groupId: number;
}

/** Two thirds from a friend, one third in a group, and a request that makes the system chat speak. */
async function fill({ url, rows, seed }: InterruptedPullsOptions): Promise<PullScenario> {
  const tag = `K20x${seed}`;
  const come = (name: string) => registerPerson(url, { userName: `${name}${tag}`, nickName: name });
  const [ann, bob, cat] = [await come("ann"), await come("bob"), await come("cat")];
  await befriend(ann, bob);
  const groupId = await makeGroup(bob, [ann]);
  for (let n = 0; n < rows; n++) {
    const content = `message ${n} ${"x".repeat(n % 200)}`;
    if (n % 3 === 0) await bob.ok("sendGroupMessage", { body: { groupId, type: 0, content } });
    else await sendText(bob, ann, content);
  }
  await cat.ok("applyFriend", { body: { friendId: ann.id, remark: "hello" } });
  return { ann, bob, groupId };
}

interface PullInterruption {
  frame: number;
  bytes: number;
  proxy: FaultProxy;
  scenario: PullScenario;
  whole: ClientDevice;
  isLeftCut: boolean;
}

async function interruptAt({
  frame,
  bytes,
  proxy,
  scenario,
  whole,
  isLeftCut,
}: PullInterruption): Promise<string[] | "not cut"> {
  const { ann, bob } = scenario;
  let sockets = 0;
  proxy.injectFaults(({ isSocket }) =>
    isSocket && sockets++ === 0 ? { cutAfterFrames: { frames: frame, bytes } } : undefined,
  );
  const device = await startDevice(ann, { name: `cut ${frame} of ${ann.userName}`, url: proxy.url });
  try {
    await sendText(bob, ann, `while it pulls, at ${frame}`);
    await waitUntil(
      "the cut",
      () => (device.connections[0]?.isClosed === true ? undefined : "still connected"),
      2_000,
    );
  } catch (error) {
    device.stop();
    if (!(error instanceof Error) || !error.message.startsWith("waited in vain until the cut")) throw error;
    return "not cut";
  }
  const rows = await pull(ann);
  const stored = { private: idsOf(rows.private), group: idsOf(rows.group) };
  const problems = await findGapsBelowCursor(device, stored);
  if (!isLeftCut) {
    device.client.session.reconnectNow();
    await waitUntilIdle(device);
  }
  await waitUntilIdle(whole);
  const newest = Math.max(...stored.private);
  const hasNewest = (one: ClientDevice) =>
    one.client
      .getState()
      .chats.byKey[`PRIVATE:${bob.id}`]?.window.messages.some(({ id }) => id === newest) === true
      ? undefined
      : `message ${newest} is not there`;
  await waitUntil("the newest message came", () => hasNewest(whole));
  if (!isLeftCut) await waitUntil("the newest message came", () => hasNewest(device));
  const difference = firstDifference(visibleStateOf(whole), visibleStateOf(device));
  if (difference !== undefined) problems.push(difference);
  problems.push(...findUnfinishedPulls(device), ...(await findGapsBelowCursor(device, stored)));
  device.stop();
  return problems;
}

function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map(({ id }) => id);
}
