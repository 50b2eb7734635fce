/** Messages that are sent again because their answer was lost. */
import { ApiError } from "../../calls/api-error.ts";
import type { Appended } from "../../ports/stored-message.ts";

/** A send that is refused now may have been stored while it was allowed. Returns the stored row of the tmpId, or throws `error`. */
export async function findAlreadySent<Row>(
  error: unknown,
  tmpId: string | null | undefined,
  findSent: (tmpId: string) => Promise<Row | undefined>,
): Promise<Appended<Row>> {
  const row = error instanceof ApiError && tmpId ? await findSent(tmpId) : undefined;
  if (row === undefined) throw error;
  return { row, isNew: false };
}
