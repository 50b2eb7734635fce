/** A message that is sent again because its answer was lost. */
import { Refusal } from "../../ports/call.ts";
import type { Appended } from "../../ports/stored.ts";

/** What is refused now may have been stored when it was allowed: then a repeat answers the row that is there. Throws `error` else. */
export async function knownInstead<Row>(
  error: unknown,
  tmpId: string | null | undefined,
  findSent: (tmpId: string) => Promise<Row | undefined>,
): Promise<Appended<Row>> {
  const row = error instanceof Refusal && tmpId ? await findSent(tmpId) : undefined;
  if (row === undefined) throw error;
  return { row, isNew: false };
}
