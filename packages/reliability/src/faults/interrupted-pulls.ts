/**
 * Fault K20: the connection of a client is cut after each frame of its pull, within the next frame, while it gets new messages. It must
 * have no gaps below its cursor, and after reconnecting it must show the same as a device that was never disconnected.
 */
import { firstDifference } from "@parley/core/testing/first-difference";
import { createPrng } from "@parley/core/testing/prng";
import {
  type TestPerson,
  befriend,
  registerPerson,
  makeGroup,
  sendText,
} from "@parley/server/testing/test-person";
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

/** The size of the pull and the number of cuts. */
export interface InterruptedPullsOptions {
  url: string;
  seed: number;
  /** How many messages the client pulls. */
  rows: number;
  /** The connection is cut at every n-th frame. */
  every: number;
  /** A planted fault: the client is checked after the cut without reconnecting. */
  staysDisconnected?: boolean;
}

/** Runs the battery. */
export async function runInterruptedPulls(options: InterruptedPullsOptions): Promise<Report> {
  const proxy = await startFaultProxy(options.url);
  const violations: string[] = [];
  let cuts = 0;
  let missed = 0;
  try {
    const scenario = await createPullScenario(options);
    const undisturbed = await startDevice(scenario.ann, { name: `undisturbed ${options.seed}` });
    await waitUntilIdle(undisturbed);
    // The frames of the login and the pull, before any push.
    const frames = undisturbed.connections[0]?.frames.length ?? 0;
    const random = createPrng(options.seed);
    for (let frame = 0; frame < frames; frame += options.every) {
      const bytes = random.below(12);
      const problems = await interruptAt({
        frame,
        bytes,
        proxy,
        scenario,
        undisturbed,
        staysDisconnected: options.staysDisconnected ?? false,
      });
      if (problems === "not cut") missed++;
      else {
        cuts++;
        violations.push(
          ...problems.map((problem) => `cut after frame ${frame} and ${bytes} bytes: ${problem}`),
        );
      }
    }
    undisturbed.stop();
    const fresh = await startDevice(scenario.ann, { name: `fresh ${options.seed}` });
    await waitUntilIdle(fresh);
    // Pushes and a new pull must give the same state.
    const difference = firstDifference(visibleStateOf(fresh), visibleStateOf(undisturbed));
    if (difference !== undefined) violations.push(`the device that was never disconnected: ${difference}`);
    fresh.stop();
  } finally {
    await proxy.close();
  }
  if (cuts < missed) violations.push(`only ${cuts} cuts, ${missed} others did not happen`);
  return {
    name: `K20 connection cut during a pull (seed ${options.seed})`,
    done: `${cuts} cuts at every ${options.every === 1 ? "frame" : `${options.every}th frame`} of a pull of ${options.rows} messages`,
    violations,
  };
}

interface PullScenario {
  ann: TestPerson;
  bob: TestPerson;
  groupId: number;
}

/** Sends two thirds of the messages from a friend and one third in a group, and a friend request for the system chat. */
async function createPullScenario({ url, rows, seed }: InterruptedPullsOptions): Promise<PullScenario> {
  const tag = `K20x${seed}`;
  const registerNamed = (name: string) => registerPerson(url, { userName: `${name}${tag}`, nickName: name });
  const [ann, bob, cat] = [
    await registerNamed("ann"),
    await registerNamed("bob"),
    await registerNamed("cat"),
  ];
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
  undisturbed: ClientDevice;
  staysDisconnected: boolean;
}

async function interruptAt({
  frame,
  bytes,
  proxy,
  scenario,
  undisturbed,
  staysDisconnected,
}: PullInterruption): Promise<string[] | "not cut"> {
  const { ann, bob } = scenario;
  let sockets = 0;
  proxy.injectFaults(({ isSocket }) =>
    isSocket && sockets++ === 0 ? { cutAfterFrames: { frames: frame, bytes } } : undefined,
  );
  const device = await startDevice(ann, { name: `cut ${frame} of ${ann.userName}`, url: proxy.url });
  try {
    await sendText(bob, ann, `during the pull, at ${frame}`);
    await waitUntil(
      "the cut",
      () => (device.connections[0]?.isClosed === true ? undefined : "still connected"),
      2_000,
    );
  } catch (error) {
    device.stop();
    if (!(error instanceof Error) || !error.message.startsWith("timed out before the cut")) throw error;
    return "not cut";
  }
  const rows = await pull(ann);
  const stored = { private: idsOf(rows.private), group: idsOf(rows.group) };
  const problems = await findGapsBelowCursor(device, stored);
  if (!staysDisconnected) {
    device.client.session.reconnectNow();
    await waitUntilIdle(device);
  }
  await waitUntilIdle(undisturbed);
  const newest = Math.max(...stored.private);
  const missingNewest = (one: ClientDevice) =>
    one.client
      .getState()
      .chats.byKey[`PRIVATE:${bob.id}`]?.window.messages.some(({ id }) => id === newest) === true
      ? undefined
      : `message ${newest} is missing`;
  await waitUntil("the newest message arrives", () => missingNewest(undisturbed));
  if (!staysDisconnected) await waitUntil("the newest message arrives", () => missingNewest(device));
  const difference = firstDifference(visibleStateOf(undisturbed), visibleStateOf(device));
  if (difference !== undefined) problems.push(difference);
  problems.push(...findUnfinishedPulls(device), ...(await findGapsBelowCursor(device, stored)));
  device.stop();
  return problems;
}

function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map(({ id }) => id);
}
