import { RequestStatus } from "@parley/protocol/codes";
import type { Kysely } from "kysely";
import { changeCounter } from "../change-counter.ts";
import type { Tables } from "../tables.ts";

/** Closes what earlier versions left open when a group was dissolved: requests to join, and the prompts of its owner and admins. */
export async function closeDissolvedRequests(db: Kysely<Tables>): Promise<void> {
  await db
    .updateTable("groupRequest")
    .set({ status: RequestStatus.EXPIRED })
    .where("status", "=", RequestStatus.PENDING)
    .where("groupId", "in", (eb) =>
      eb.selectFrom("chatGroup").select("id").where("dissolvedAt", "is not", null),
    )
    .execute();
  const prompts = await db
    .selectFrom("systemMessage as s")
    .innerJoin("groupRequest as r", "r.id", "s.groupRequestId")
    .innerJoin("chatGroup as g", "g.id", "r.groupId")
    .select(["s.id", "s.userId", "s.content", "r.status"])
    .where("g.dissolvedAt", "is not", null)
    .orderBy("s.id")
    .execute();
  const nextChange = changeCounter(db);
  for (const { id, userId, content, status } of prompts) {
    const request = readRequest(content);
    if (request?.["status"] !== RequestStatus.PENDING) continue;
    // With a new change number, so that clients that show the prompt get the change.
    const changed = await nextChange(userId);
    const closed = JSON.stringify({ ...request, status });
    await db.updateTable("systemMessage").set({ content: closed, changed }).where("id", "=", id).execute();
  }
}

function readRequest(content: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
