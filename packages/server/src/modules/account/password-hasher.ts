import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { normalizePassword } from "@parley/protocol/password";
import { ApiError } from "../../api/api-error.ts";
import { FairQueue } from "../../concurrency/fair-queue.ts";

/** How a password is right: in the form that is stored now, or as it was typed, which was stored before there was that form. */
export type PasswordMatch = "normalized" | "asTyped";

/**
 * Hashes and checks passwords, in the form of `normalizePassword`. A network that asks for many delays only itself; requests of the server
 * itself belong to no network.
 */
export interface PasswordHasher {
  /** Throws `server.unavailable` if too many wait. */
  hash(password: string, network?: string): Promise<string>;
  /**
   * Takes as long for an unknown person (no hash) as for a known one. `onTurn` runs when this check has reached the front of the
   * queue; if it throws, the password is not checked. Throws `server.unavailable` if too many wait.
   */
  verify(
    password: string,
    passwordHash: string | undefined,
    onTurn: () => Promise<void>,
    network?: string,
  ): Promise<PasswordMatch | false>;
  /** How many hashes and checks wait for their turn. */
  waiting(): number;
}

const COSTS = {
  normal: { memoryCost: 65_536, timeCost: 3 },
  low: { memoryCost: 64, timeCost: 1 },
} as const;
/** `Algorithm.Argon2id`: the library's enum has no value at run time here. */
const ARGON2ID = 2;
/** Each running hash uses 64 MiB and a core. */
const CONCURRENT_MAX = 2;
/** In a longer queue, clients would time out before their turn. */
const WAITING_MAX = 500;

/**
 * Accounts that were made before passwords were compared in one form have the hash of what was typed. One attempt costs a second check at most,
 * and only if the two forms differ, for an unknown person too.
 */
async function matchOf(passwordHash: string, password: string): Promise<PasswordMatch | false> {
  const normalized = normalizePassword(password);
  if (await verify(passwordHash, normalized)) return "normalized";
  return normalized !== password && (await verify(passwordHash, password)) && "asTyped";
}

/** Uses Argon2id. */
export function createPasswordHasher(cost: keyof typeof COSTS): PasswordHasher {
  const queue = new FairQueue({
    runningMax: CONCURRENT_MAX,
    waitingMax: WAITING_MAX,
    full: () => new ApiError("server.unavailable"),
  });
  const options = { ...COSTS[cost], parallelism: 1, algorithm: ARGON2ID };
  let dummyHash: Promise<string> | undefined;
  return {
    hash: (password, network = "") => queue.run(network, () => hash(normalizePassword(password), options)),
    waiting: () => queue.waiting,
    async verify(password, passwordHash, onTurn, network = "") {
      const isKnown = passwordHash !== undefined;
      // Computed once and outside the queue: the error of a full queue must not be stored here.
      dummyHash ??= hash(randomBytes(16).toString("hex"), options);
      const compared = passwordHash ?? (await dummyHash);
      const match = await queue.run(network, async () => {
        await onTurn();
        return matchOf(compared, password);
      });
      return isKnown && match;
    },
  };
}
