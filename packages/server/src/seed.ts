/**
 * Fills an empty store with a demo world: people, friendships, groups, chats of the past weeks, and three
 * accounts to log in with.
 */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { StoreLockedError, StoreUnusableError } from "./adapters/store/store-errors.ts";
import { openStore } from "./adapters/store/open-store.ts";
import { ConfigError, dataFolder, loadConfig } from "./config.ts";
import { makeFolder } from "./environment.ts";
import { createPasswordHasher } from "./modules/account/password-hasher.ts";
import { fillStore, isEmpty } from "./seed/fill-store.ts";
import { DEMO_LOGINS } from "./seed/demo-people.ts";
import { createSeedPlan } from "./seed/seed-plan.ts";
import { createSeededRandom } from "./seed/seeded-random.ts";

const PEOPLE = 420;
const MESSAGES = 20_000;
/** Any number; another one gives another world. */
const SEED = 20_260_101;

async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const folder = dataFolder(config);
  makeFolder(folder);
  const store = await openStore({ url: join(folder, "parley.sqlite"), onFatal: fail });
  try {
    if (!(await isEmpty(store))) {
      throw new RefusedError(
        `The store in ${folder} is not empty; the demo world goes only into a new one (set DATA_DIR).`,
      );
    }
    const hashes = createPasswordHasher(config.PASSWORD_COST);
    const passwords = DEMO_LOGINS.map(() => randomBytes(9).toString("base64url"));
    const plan = createSeedPlan(createSeededRandom(SEED), Date.now(), PEOPLE, MESSAGES);
    await fillStore(store, plan, {
      language: config.DEFAULT_LANGUAGE,
      loginHashes: await Promise.all(passwords.map((password) => hashes.hash(password))),
      // The password is thrown away: nobody logs in as one of the others.
      closedHash: await hashes.hash(randomBytes(32).toString("hex")),
    });
    console.log(
      `${plan.people.length} people, ${plan.friendships.length} friendships, ${plan.messages.length} messages, ${plan.requests.length} friend requests, ${plan.groups.length} groups.`,
    );
    console.log("Log in as:");
    for (const [index, { userName, nickName }] of DEMO_LOGINS.entries()) {
      console.log(`  ${userName.padEnd(12)} ${passwords[index]}  (${nickName})`);
    }
  } finally {
    await store.close();
  }
}

/** A reason that is told in one sentence. */
class RefusedError extends Error {}

function fail(error: unknown): never {
  const isPlain = [RefusedError, ConfigError, StoreLockedError, StoreUnusableError].some(
    (kind) => error instanceof kind,
  );
  console.error(isPlain && error instanceof Error ? error.message : error);
  process.exit(1);
}

main().catch(fail);
