/**
 * Fault K21: the connection is cut between the request and the answer of every write. Repeating the write must give the same state as
 * doing it once, and the client must report success to its person, not an error.
 */
import { firstDifference } from "@parley/core/testing/first-difference";
import type { Client } from "@parley/core/client-api";
import type { Result } from "@parley/core/model/state";
import { PASSWORD } from "@parley/server/testing/test-person";
import { visibleStateOf, startDevice, waitUntilIdle } from "./client-device.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { type Operation, operationNamed } from "./operations.ts";
import type { Report } from "./report.ts";
import { type Scenario, createScenario, onServerUrl, pull, viewOf } from "./scenario.ts";
import { waitUntil } from "./wait-until.ts";

/** Which writes lose their response. */
export interface LostResponsesOptions {
  url: string;
  /** Writes that are done by their HTTP calls. */
  operations: readonly Operation[];
  /** Writes that are done by the client core. */
  clientActions: readonly ClientAction[];
}

/** An operation as an action of the client core. */
export interface ClientAction {
  /** The name of the operation. */
  name: string;
  who: "ann" | "bob" | "dan";
  perform(client: Client, scenario: Scenario, preparedId: number): Promise<Result<unknown>>;
}

/** The client actions whose repetition the server refuses, so that a person could see a wrong error. */
export const CLIENT_ACTIONS: readonly ClientAction[] = [
  { name: "join group", who: "dan", perform: (dan, { groupId }) => dan.groups.apply(groupId, "") },
  { name: "ask to join", who: "dan", perform: (dan, { groupId }) => dan.groups.apply(groupId, "let me in") },
  { name: "approve joining", who: "ann", perform: (ann, _scenario, id) => ann.groups.approve(id) },
  { name: "reject joining", who: "ann", perform: (ann, _scenario, id) => ann.groups.reject(id) },
  {
    name: "transfer group",
    who: "ann",
    perform: (ann, { groupId, bob }) => ann.groups.transfer(groupId, bob.id),
  },
  { name: "quit group", who: "bob", perform: (bob, { groupId }) => bob.groups.quit(groupId) },
  { name: "dissolve group", who: "ann", perform: (ann, { groupId }) => ann.groups.dissolve(groupId) },
  { name: "add friend", who: "ann", perform: (ann, { dan }) => ann.contacts.apply(dan.id, "") },
  {
    name: "ask to be friends",
    who: "ann",
    perform: (ann, { dan }) => ann.contacts.apply(dan.id, "it is me"),
  },
  { name: "approve friend", who: "ann", perform: (ann, _scenario, id) => ann.contacts.approve(id) },
  { name: "reject friend", who: "ann", perform: (ann, _scenario, id) => ann.contacts.reject(id) },
  { name: "take back friend request", who: "dan", perform: (dan, _scenario, id) => dan.contacts.recall(id) },
  { name: "delete friend", who: "ann", perform: (ann, { bob }) => ann.contacts.remove(bob.id) },
  {
    name: "change password",
    who: "ann",
    perform: (ann) => ann.session.changePassword(PASSWORD, "password-2"),
  },
];

/** Runs the battery. */
export async function runLostResponses({
  url,
  operations,
  clientActions,
}: LostResponsesOptions): Promise<Report> {
  const proxy = await startFaultProxy(url);
  const violations: string[] = [];
  try {
    for (const operation of operations) {
      const problems = await loseCallResponse(operation, proxy, url).catch(toProblem);
      violations.push(...problems.map((problem) => `${operation.name}: ${problem}`));
    }
    for (const action of clientActions) {
      const problems = await loseActionResponse(action, proxy, url).catch(toProblem);
      violations.push(...problems.map((problem) => `${action.name} by the client: ${problem}`));
    }
  } finally {
    await proxy.close();
  }
  return {
    name: "K21 connection cut before the answer",
    done: `${operations.length} writes by their calls, ${clientActions.length} by the client`,
    violations,
  };
}

/** Cuts the answer of the next matching request only. */
function dropNextResponse(
  proxy: FaultProxy,
  matches: (request: string) => boolean = () => true,
): { isDone(): boolean } {
  let isDone = false;
  proxy.injectFaults(({ request }) => {
    if (isDone || !matches(request)) return undefined;
    isDone = true;
    return { dropResponse: true };
  });
  return { isDone: () => isDone };
}

let scenarioCount = 0;

async function loseCallResponse(operation: Operation, proxy: FaultProxy, url: string): Promise<string[]> {
  const problems: string[] = [];
  const scenario = await createScenario(url, `K21x${scenarioCount++}x`);
  const preparedId = (await operation.before?.(scenario)) ?? 0;
  const viaProxy = onServerUrl(scenario, proxy.url);
  dropNextResponse(proxy);
  const answer = await operation.perform(viaProxy, preparedId).catch(() => undefined);
  if (answer !== undefined) problems.push(`the call was answered: ${JSON.stringify(answer)}`);
  const once = await viewOf(scenario);
  const first = await sentIn(scenario);
  const again = await operation.perform(viaProxy, preparedId);
  const isAccepted = again.code === 200 ? operation.repeat === undefined : again.key === operation.repeat;
  if (!isAccepted) problems.push(`the retry answered ${JSON.stringify(again)}`);
  const twice = await viewOf(scenario);
  if (operation.isNonIdempotent !== true && once !== twice) problems.push("the retry had an effect");
  if (operation.isSend) {
    const rows = await sentIn(scenario);
    const { id } = (again.data ?? {}) as { id?: number };
    if (rows.length !== 1 || rows[0] !== id || first[0] !== id) {
      problems.push(`rows ${first.join()}, then ${rows.join()}, and the retry answered ${id}`);
    }
  }
  await operation.check?.(scenario, again);
  return problems;
}

/** The ids of the messages that ann has sent with a tmpId. */
async function sentIn({ ann, tag }: Scenario): Promise<number[]> {
  const rows = await pull(ann);
  return [...rows.private, ...rows.group].flatMap(({ tmpId, id }) =>
    tmpId?.endsWith(` ${tag}`) ? [id] : [],
  );
}

async function loseActionResponse(action: ClientAction, proxy: FaultProxy, url: string): Promise<string[]> {
  const problems: string[] = [];
  const scenario = await createScenario(url, `K21x${scenarioCount++}x`);
  const preparedId = (await operationNamed(action.name).before?.(scenario)) ?? 0;
  const person = scenario[action.who];
  proxy.injectFaults(() => undefined);
  const device = await startDevice(person, { name: `${action.name} ${scenario.tag}`, url: proxy.url });
  try {
    await waitUntilIdle(device);
    const cut = dropNextResponse(proxy, (request) => !request.startsWith("GET "));
    const first = await action.perform(device.client, scenario, preparedId);
    if (first.ok || !cut.isDone()) problems.push("the answer was not cut");
    const second = await action.perform(device.client, scenario, preparedId);
    if (!second.ok) problems.push(`the person sees the error ${JSON.stringify(second.failure)}`);
    const failures = device.notices.flatMap((notice) => (notice.kind === "failure" ? [notice.failure] : []));
    if (failures.some(({ kind }) => kind !== "network")) problems.push(`toasts: ${JSON.stringify(failures)}`);
    const fresh = await startDevice(person, { name: `fresh ${action.name} ${scenario.tag}`, url });
    await waitUntilIdle(fresh);
    await waitUntil(
      "a new device and the old one show the same",
      () => firstDifference(visibleStateOf(fresh), visibleStateOf(device)),
      5_000,
    ).catch((error: Error) => void problems.push(error.message));
    fresh.stop();
  } finally {
    device.stop();
  }
  return problems;
}

function toProblem(error: unknown): string[] {
  return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
}
