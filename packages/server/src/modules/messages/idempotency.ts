/** A message that is sent again because its answer was lost. */
import { ApiError } from "../../ports/call.ts";
import type { Appended } from "../../ports/stored-message.ts";

/** What is refused now may have been stored when it was allowed: then a repeat answers the row that is there. Throws `error` else. */
export async function findAlreadySent<Row>(
  error: unknown,
  tmpId: string | null | undefined,
  findSent: (tmpId: string) => Promise<Row | undefined>,
): Promise<Appended<Row>> {
  const row = error instanceof ApiError && tmpId ? await findSent(tmpId) : undefined;
  if (row === undefined) throw error;
  return { row, isNew: false };
}
