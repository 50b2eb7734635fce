/**
 * Decides which people may know of each other. People are known by small ids, so anybody could walk through all of them; an id alone therefore tells nothing about
 * somebody who does not let everybody find them.
 */
import { FindableBy } from "@parley/protocol/codes";
import { ApiError } from "../api/api-error.ts";
import type { AccountReads, UserRow } from "../ports/account-store.ts";
import type { AcquaintanceReads } from "../ports/acquaintance-store.ts";
import { isActiveAdmin } from "./people.ts";

/** What the decision needs to read. */
export type AcquaintancesReads = AcquaintanceReads & Pick<AccountReads, "findUser">;

/** How long a person may look at somebody whom they have found by the complete user name, and ask to be their friend. */
const FOUND_MS = 86_400_000;

/** The earliest time of a search that still counts. */
export function foundSince(now: number): number {
  return now - FOUND_MS;
}

/**
 * Finds somebody with an account whom this person may know of: everybody whom any name finds, and those with whom they have something in common.
 * Throws the same error, after the same reads, for an id that nobody has and for a person who stays hidden.
 */
export async function findKnown(
  reads: AcquaintancesReads,
  me: number,
  id: number,
  now: number,
): Promise<UserRow> {
  const user = await reads.findUser(id);
  const isOpen = user !== undefined && user.unregisteredAt === null;
  if (isOpen && (user.findableBy === FindableBy.ANY_NAME || id === me)) return user;
  const isKnown = (await reads.haveCommonGround(me, id)) || isActiveAdmin(await reads.findUser(me));
  const isFound = await reads.hasFound(me, id, foundSince(now));
  // Hide people who have chosen since the search not to be found.
  if (isOpen && (isKnown || (isFound && user.findableBy === FindableBy.USER_NAME))) return user;
  throw new ApiError("user.notFound");
}
