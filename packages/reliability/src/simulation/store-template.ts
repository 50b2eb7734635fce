/** The database with which every simulation begins: five people who are friends, and two groups. It is created once and copied. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";
import { type AnswerOf, type CallInput, type Endpoint, pathOf } from "@parley/protocol/endpoint";
import { createMemoryBus } from "@parley/server/adapters/bus/memory-bus";
import { createMemoryPresence } from "@parley/server/adapters/presence/memory-presence";
import { type OpenedStore, openStore } from "@parley/server/adapters/store/open-store";
import { type NodeApp, createNodeApp } from "./node-app.ts";
import { createFakeTokens, fakePasswordHasher } from "./fakes.ts";

/** The origin of the simulated server. */
export const ORIGIN = "https://im.example";
const PASSWORD = "password";
const PEOPLE_MAX = 5;
/** The time at which simulations begin. */
export const START = 1_800_000_000_000;
/** The people of each group. The first one is the owner. */
const GROUPS: readonly (readonly number[])[] = [
  [1, 2, 3, 4, 5],
  [2, 1, 3],
];
/** The ids of the groups. */
export const GROUP_IDS: readonly number[] = GROUPS.map((_, index) => index + 1);
/** A file system in memory, if the machine has one. */
const MEMORY_FOLDER = "/dev/shm";
/** Longer than any run: search is not simulated, and the timer of its indexer does not use the virtual clock. */
const NEVER_MS = 2_000_000_000;

function makeFolder(): string {
  return mkdtempSync(join(existsSync(MEMORY_FOLDER) ? MEMORY_FOLDER : tmpdir(), "parley-sim-"));
}

/** Opens the store of a folder. */
export function openStoreIn(folder: string, onFatal: (error: Error) => void): Promise<OpenedStore> {
  return openStore({ url: join(folder, "parley.sqlite"), onFatal, searchPollMs: NEVER_MS });
}

/** Copies the template database into a new folder; without a template the folder is empty. */
export async function copyStoreTemplate(template: string | null): Promise<string> {
  const folder = makeFolder();
  if (template !== null) copyFileSync(join(template, "parley.sqlite"), join(folder, "parley.sqlite"));
  return folder;
}

/** Creates the template database and returns its folder. The caller removes it. */
export async function createStoreTemplate(): Promise<string> {
  const folder = makeFolder();
  try {
    const store = await openStoreIn(folder, () => undefined);
    await fillStore(store);
    await store.close();
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function fillStore(store: OpenedStore): Promise<void> {
  let time = START - 3_600_000;
  const fail = (error: unknown) => {
    throw error instanceof Error ? error : new Error(JSON.stringify(error));
  };
  const app = createNodeApp({
    store,
    bus: createMemoryBus(fail),
    presence: createMemoryPresence(),
    tokens: createFakeTokens(),
    passwordHasher: fakePasswordHasher,
    now: () => (time += 1_000),
    after: () => undefined,
    onError: fail,
  });
  const tokens: string[] = [];
  for (let n = 1; n <= PEOPLE_MAX; n++) {
    const userName = `user${n}`;
    const form = { terminal: 2 as const, userName, password: PASSWORD };
    await callNode(app, "register", { body: { ...form, nickName: `N${n}`, confirmPassword: PASSWORD } });
    const pair = await callNode(app, "login", { body: form });
    tokens.push(pair.accessToken);
  }
  for (let a = 1; a <= PEOPLE_MAX; a++) {
    for (let b = a + 1; b <= PEOPLE_MAX; b++) {
      const request = await callNode(app, "applyFriend", { body: { friendId: b } }, tokens[a - 1]);
      if (request.status === 1)
        await callNode(app, "approveFriendRequest", { query: { id: request.id } }, tokens[b - 1]);
    }
  }
  for (const [index, [owner = 0, ...memberIds]] of GROUPS.entries()) {
    await callNode(
      app,
      "createGroup",
      { body: { name: `group ${index + 1}`, memberIds } },
      tokens[owner - 1],
    );
  }
}

/** Calls an endpoint of a node, which must succeed, and returns its data. */
export async function callNode<N extends EndpointName>(
  app: NodeApp,
  name: N,
  input: CallInput<(typeof ENDPOINTS)[N]>,
  accessToken?: string,
): Promise<AnswerOf<(typeof ENDPOINTS)[N]>> {
  const endpoint: Endpoint = ENDPOINTS[name];
  const given = input as { params?: object; query?: object; body?: object };
  const { answer } = await app.answer({
    method: endpoint.method,
    url: `${ORIGIN}/api${pathOf(endpoint, given)}`,
    headers: accessToken === undefined ? {} : { accessToken },
    timeoutMs: 0,
    ...(given.body !== undefined && { body: JSON.stringify(given.body) }),
  });
  const envelope =
    answer.kind === "answer" ? (JSON.parse(answer.text) as { code: number; data: unknown }) : null;
  if (envelope?.code !== 200) throw new Error(`${name} answered ${JSON.stringify(answer)}`);
  return envelope.data as AnswerOf<(typeof ENDPOINTS)[N]>;
}
