/** A message that is sent again because its answer was lost. */
import { Refusal } from "../../ports/call.ts";
import type { Appended } from "../../ports/stored.ts";

/** What is refused now may have been stored when it was allowed: then a repeat answers the row that is there. */
export async function orKnown<Row>(
  appending: Promise<Appended<Row>>,
  tmpId: string | null | undefined,
  findSent: (tmpId: string) => Promise<Row | undefined>,
): Promise<Appended<Row>> {
  try {
    return await appending;
  } catch (error) {
    const row = error instanceof Refusal && tmpId ? await findSent(tmpId) : undefined;
    if (row === undefined) throw error;
    return { row, isNew: false };
  }
}
