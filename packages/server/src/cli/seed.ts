/**
 * Fills an empty store with demo data: people, friendships, groups, chats of the past weeks, and three accounts
 * to log in with. With `--messages` it adds one long chat instead, also to a store that is in use.
 */
import { randomBytes } from "node:crypto";
import { StoreLockedError, StoreUnusableError } from "../adapters/store/store-errors.ts";
import { type OpenedStore, openStore } from "../adapters/store/open-store.ts";
import { type Config, ConfigError, dataFolder, loadConfig, storeUrl } from "../config/config.ts";
import { makeFolder } from "../config/environment.ts";
import { ownInstallationOf } from "../config/own-installation.ts";
import { createPasswordHasher } from "../modules/account/password-hasher.ts";
import { fillStore, isEmpty } from "./seed/fill-store.ts";
import { DEMO_LOGINS } from "./seed/seed-data.ts";
import { writeLongChat } from "./seed/long-chat.ts";
import { readSeedOptions, SeedOptionsError } from "./seed/seed-options.ts";
import { type SeedPlan, at, createSeedPlan } from "./seed/seed-plan.ts";
import { createSeededRandom } from "./seed/seeded-random.ts";
import { sendMedia } from "./seed/send-media.ts";

const PEOPLE = 420;
const MESSAGES = 20_000;
/** Any number; another one gives other data. */
const SEED = 20_260_101;

async function main(): Promise<void> {
  const { messages } = readSeedOptions(process.argv.slice(2));
  const config = loadConfig(process.env);
  if (messages === null) await seedDemoData(config);
  else await seedLongChat(config, messages);
}

async function seedDemoData(config: Config): Promise<void> {
  const { plan, passwords } = await fill(config);
  const group = plan.groups.find(({ hasDemoChat }) => hasDemoChat);
  if (group === undefined) throw new Error("the plan has no group with a demo chat");
  const sent = await sendMedia(config, {
    logins: DEMO_LOGINS.map(({ userName }, index) => ({ userName, password: at(passwords, index) })),
    groupName: group.name,
    now: plan.now,
  });
  console.log(`${sent} more messages with pictures, files, a voice and a video.`);
  console.log("Log in as:");
  for (const [index, { userName, nickName }] of DEMO_LOGINS.entries()) {
    console.log(`  ${userName.padEnd(12)} ${passwords[index]}  (${nickName})`);
  }
}

/** Adds a long chat and prints how to log in. The search index is complete afterwards. */
async function seedLongChat(config: Config, messages: number): Promise<void> {
  const store = await openFolder(config);
  try {
    const password = randomPassword();
    const startedAt = performance.now();
    const { userNames, from, to } = await writeLongChat(store, createSeededRandom(SEED), {
      messages,
      now: Date.now(),
      passwordHash: await createPasswordHasher(config.PASSWORD_COST).hash(password),
      language: config.DEFAULT_LANGUAGE,
    });
    const writtenAt = performance.now();
    console.log(
      `${messages} messages from ${dayOf(from)} to ${dayOf(to)}, written in ${secondsOf(writtenAt - startedAt)} s.`,
    );
    await store.indexMessages();
    console.log(`The search index knows them, after ${secondsOf(performance.now() - writtenAt)} s more.`);
    console.log("Log in as:");
    for (const userName of userNames) console.log(`  ${userName.padEnd(12)} ${password}`);
  } finally {
    await store.close();
  }
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
const secondsOf = (ms: number) => (ms / 1_000).toFixed(0);
const randomPassword = () => randomBytes(9).toString("base64url");

async function openFolder(config: Config): Promise<OpenedStore> {
  makeFolder(dataFolder(config));
  const own = ownInstallationOf(config);
  const store = await openStore({ url: storeUrl(config), onFatal: fail, expected: own.expected });
  own.note(store.installation);
  return store;
}

/** Writes the planned data. Returns the plan and the passwords of the logins. */
async function fill(config: Config): Promise<{ plan: SeedPlan; passwords: string[] }> {
  const store = await openFolder(config);
  try {
    if (!(await isEmpty(store))) {
      throw new RefusedError(
        `The store is not empty; demo data is only written into a new one (set DATA_DIR or DATABASE_URL).`,
      );
    }
    const hasher = createPasswordHasher(config.PASSWORD_COST);
    const passwords = DEMO_LOGINS.map(randomPassword);
    const plan = createSeedPlan(createSeededRandom(SEED), Date.now(), PEOPLE, MESSAGES);
    await fillStore(store, plan, {
      language: config.DEFAULT_LANGUAGE,
      loginHashes: await Promise.all(passwords.map((password) => hasher.hash(password))),
      // Nobody knows the password, so nobody can log in as one of the others.
      closedHash: await hasher.hash(randomBytes(32).toString("hex")),
    });
    console.log(
      `${plan.people.length} people, ${plan.friendships.length} friendships, ${plan.messages.length} messages, ${plan.requests.length} friend requests, ${plan.groups.length} groups.`,
    );
    return { plan, passwords };
  } finally {
    await store.close();
  }
}

/** An error whose one-sentence message is printed without a stack trace. */
class RefusedError extends Error {}

function fail(error: unknown): never {
  const isPlain = [RefusedError, SeedOptionsError, ConfigError, StoreLockedError, StoreUnusableError].some(
    (kind) => error instanceof kind,
  );
  console.error(isPlain && error instanceof Error ? error.message : error);
  process.exit(1);
}

main().catch(fail);
