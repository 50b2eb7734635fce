import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { ApiError } from "../../ports/call.ts";
import { Semaphore } from "../../concurrency/semaphore.ts";

export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /**
   * Takes as long for a person who does not exist (no hash) as for one who does. `onTurn` runs when those before in the line are done,
   * and what it throws refuses this one.
   */
  verify(password: string, passwordHash: string | undefined, onTurn: () => Promise<void>): Promise<boolean>;
}

const COSTS = {
  normal: { memoryCost: 65_536, timeCost: 3 },
  low: { memoryCost: 64, timeCost: 1 },
} as const;
/** `Algorithm.Argon2id`: the library's enum has no value at run time here. */
const ARGON2ID = 2;
/** Each hash under way holds 64 MiB and a core. */
const CONCURRENT_MAX = 2;
/** Beyond this a hash would be waited for longer than clients wait. */
const WAITING_MAX = 500;

/** Argon2id. */
export function createPasswordHasher(cost: keyof typeof COSTS): PasswordHasher {
  const semaphore = new Semaphore(CONCURRENT_MAX);
  const options = { ...COSTS[cost], parallelism: 1, algorithm: ARGON2ID };
  const runQueued = <T>(work: () => Promise<T>): Promise<T> => {
    if (semaphore.waiting >= WAITING_MAX) throw new ApiError("server.unavailable");
    return semaphore.run(work);
  };
  const hashOf = async (password: string) => runQueued(() => hash(password, options));
  let dummyHash: Promise<string> | undefined;
  return {
    hash: hashOf,
    async verify(password, passwordHash, onTurn) {
      const isKnown = passwordHash !== undefined;
      // Once, and not in line: a full line must not be remembered in its place.
      dummyHash ??= hash(randomBytes(16).toString("hex"), options);
      const compared = passwordHash ?? (await dummyHash);
      const isSame = await runQueued(async () => {
        await onTurn();
        return verify(compared, password);
      });
      return isSame && isKnown;
    },
  };
}
