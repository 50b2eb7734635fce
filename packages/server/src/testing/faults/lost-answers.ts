/**
 * Fault K21: the line is cut between the request and the answer of every write. Done again it must end as done once; and the client of
 * the product must tell its person that it is done, not that it is refused.
 */
import { firstDifference } from "@parley/core/testing/first-difference";
import type { Client } from "@parley/core/runtime/client-api";
import type { Result } from "@parley/core/model/state";
import { PASSWORD } from "../people.ts";
import { shownBy, startDevice, untilQuiet } from "./core-device.ts";
import { type Cutter, startCutter } from "./cutter.ts";
import { OPERATIONS, type Operation } from "./operations.ts";
import type { Report } from "./report.ts";
import { type Scene, makeScene, movedTo, pull, viewOf } from "./scene.ts";
import { until } from "./until.ts";

export interface LostAnswersOptions {
  url: string;
  /** Done by their calls. */
  operations: readonly Operation[];
  /** Done by the client. */
  deeds: readonly Deed[];
}

export interface Deed {
  /** Of the operation that it is. */
  name: string;
  who: "ann" | "bob" | "dan";
  act(client: Client, scene: Scene, fact: number): Promise<Result<unknown>>;
}

/** What the client does of the writes that refuse a repeat: where a person could meet a wrong refusal. */
export const DEEDS: readonly Deed[] = [
  { name: "join group", who: "dan", act: (dan, { groupId }) => dan.groups.apply(groupId, "") },
  { name: "ask to join", who: "dan", act: (dan, { groupId }) => dan.groups.apply(groupId, "let me in") },
  { name: "approve joining", who: "ann", act: (ann, _scene, id) => ann.groups.approve(id) },
  { name: "reject joining", who: "ann", act: (ann, _scene, id) => ann.groups.reject(id) },
  {
    name: "transfer group",
    who: "ann",
    act: (ann, { groupId, bob }) => ann.groups.transfer(groupId, bob.id),
  },
  { name: "quit group", who: "bob", act: (bob, { groupId }) => bob.groups.quit(groupId) },
  { name: "dissolve group", who: "ann", act: (ann, { groupId }) => ann.groups.dissolve(groupId) },
  { name: "add friend", who: "ann", act: (ann, { dan }) => ann.contacts.apply(dan.id, "") },
  { name: "ask to be friends", who: "ann", act: (ann, { dan }) => ann.contacts.apply(dan.id, "it is me") },
  { name: "approve friend", who: "ann", act: (ann, _scene, id) => ann.contacts.approve(id) },
  { name: "reject friend", who: "ann", act: (ann, _scene, id) => ann.contacts.reject(id) },
  { name: "take back friend request", who: "dan", act: (dan, _scene, id) => dan.contacts.recall(id) },
  { name: "delete friend", who: "ann", act: (ann, { bob }) => ann.contacts.remove(bob.id) },
  {
    name: "change password",
    who: "ann",
    act: (ann) => ann.session.changePassword(PASSWORD, "password-2"),
  },
];

export async function runLostAnswers({ url, operations, deeds }: LostAnswersOptions): Promise<Report> {
  const cutter = await startCutter(url);
  const violations: string[] = [];
  try {
    for (const operation of operations) {
      const problems = await cutCall(operation, cutter, url).catch(toProblem);
      violations.push(...problems.map((problem) => `${operation.name}: ${problem}`));
    }
    for (const deed of deeds) {
      const operation = OPERATIONS.find(({ name }) => name === deed.name);
      const problems =
        operation === undefined
          ? ["there is no such operation"]
          : await cutDeed(deed, operation, cutter, url).catch(toProblem);
      violations.push(...problems.map((problem) => `${deed.name} by the client: ${problem}`));
    }
  } finally {
    await cutter.close();
  }
  return {
    name: "K21 cut before the answer",
    done: `${operations.length} writes by their calls, ${deeds.length} by the client`,
    violations,
  };
}

/** Cuts the answer of the next request, and only that; reads are let through where a client makes them by itself. */
function cutNext(cutter: Cutter, isMeant: (request: string) => boolean = () => true): { isDone(): boolean } {
  let isDone = false;
  cutter.treat(({ request }) => {
    if (isDone || !isMeant(request)) return undefined;
    isDone = true;
    return { cutAnswer: true };
  });
  return { isDone: () => isDone };
}

let scenes = 0;

async function cutCall(operation: Operation, cutter: Cutter, url: string): Promise<string[]> {
  const problems: string[] = [];
  const scene = await makeScene(url, `K21x${scenes++}x`);
  const fact = (await operation.before?.(scene)) ?? 0;
  const through = movedTo(scene, cutter.url);
  cutNext(cutter);
  const answer = await operation.act(through, fact).catch(() => undefined);
  if (answer !== undefined) problems.push(`it was answered ${JSON.stringify(answer)}`);
  const once = await viewOf(scene);
  const first = await sentIn(scene);
  const again = await operation.act(through, fact);
  const isAccepted = again.code === 200 ? operation.repeat === undefined : again.key === operation.repeat;
  if (!isAccepted) problems.push(`the retry answered ${JSON.stringify(again)}`);
  const twice = await viewOf(scene);
  if (operation.isTwice !== true && once !== twice) problems.push("the retry did it again");
  if (operation.isSend === true) {
    const rows = await sentIn(scene);
    const { id } = (again.data ?? {}) as { id?: number };
    if (rows.length !== 1 || rows[0] !== id || first[0] !== id) {
      problems.push(`rows ${first.join()}, then ${rows.join()}, and the retry answered ${id}`);
    }
  }
  await operation.check?.(scene, again);
  return problems;
}

/** Ids of what ann has sent under a tmpId. */
async function sentIn({ ann, tag }: Scene): Promise<number[]> {
  const rows = await pull(ann);
  return [...rows.private, ...rows.group].flatMap(({ tmpId, id }) =>
    tmpId?.endsWith(` ${tag}`) ? [id] : [],
  );
}

async function cutDeed(deed: Deed, operation: Operation, cutter: Cutter, url: string): Promise<string[]> {
  const problems: string[] = [];
  const scene = await makeScene(url, `K21x${scenes++}x`);
  const fact = (await operation.before?.(scene)) ?? 0;
  const person = scene[deed.who];
  cutter.treat(() => undefined);
  const device = await startDevice(person, { name: `${deed.name} ${scene.tag}`, url: cutter.url });
  try {
    await untilQuiet(device);
    const cut = cutNext(cutter, (request) => !request.startsWith("GET "));
    const first = await deed.act(device.client, scene, fact);
    if (first.ok || !cut.isDone()) problems.push("the answer was not cut");
    const second = await deed.act(device.client, scene, fact);
    if (!second.ok) problems.push(`the person is told ${JSON.stringify(second.failure)}`);
    const told = device.notices.flatMap((notice) => (notice.kind === "failure" ? [notice.failure] : []));
    if (told.some(({ kind }) => kind !== "network")) problems.push(`toasts: ${JSON.stringify(told)}`);
    const fresh = await startDevice(person, { name: `fresh ${deed.name} ${scene.tag}`, url });
    await untilQuiet(fresh);
    await until("both show the same", () => firstDifference(shownBy(fresh), shownBy(device)), 5_000).catch(
      (error: Error) => void problems.push(error.message),
    );
    fresh.stop();
  } finally {
    device.stop();
  }
  return problems;
}

function toProblem(error: unknown): string[] {
  return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
}
