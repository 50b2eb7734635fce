/** Schemas of what one page stores or sends of a broadcast, and another one reads. */
import * as z from "zod/mini";
import { isId } from "@parley/protocol/text";
import { failure } from "../schemas.ts";
import type { BroadcastRun } from "./broadcast.ts";
import type { BroadcastInput } from "./broadcast-run.ts";

const count = z.custom<number>(isId);

export const broadcastRun: z.ZodMiniType<BroadcastRun> = z.object({
  id: z.string(),
  parts: z.array(z.object({ type: z.number(), content: z.string() })),
  recipients: z.array(
    z.object({
      userId: count,
      sentParts: count,
      state: z.enum(["waiting", "sent", "failed", "cancelled"]),
      failure: z.nullable(failure),
    }),
  ),
});

export const broadcastInput: z.ZodMiniType<BroadcastInput> = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("start"), run: broadcastRun }),
  z.object({ kind: z.literal("sent"), runId: z.string(), userId: count, part: count }),
  z.object({ kind: z.literal("failed"), runId: z.string(), userId: count, failure }),
  z.object({ kind: z.enum(["cancel", "retry", "dismiss"]), runId: z.string() }),
]);
