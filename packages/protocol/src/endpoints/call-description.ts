import * as z from "zod/mini";
import { BODY_MAX_BYTES } from "../limits.ts";
import { text } from "../text.ts";

/** Levels of a description. Those of browsers have one; with some thousand, writing the JSON would use up the stack. */
const LEVELS_MAX = 8;

function isWithin(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isWithin(levels - 1, inner));
}

/** What browsers say to each other in a call: a session description or a candidate. The server only passes it on. */
export const callDescription = () =>
  z
    .record(z.string(), z.unknown())
    .check(
      z.refine((value) => isWithin(LEVELS_MAX, value), { error: `nested deeper than ${LEVELS_MAX} levels` }),
    );

/** A description as a field of a body. Older clients write it as JSON into a string, which is passed on as it is. */
export const groupCallDescription = () => z.union([callDescription(), text(BODY_MAX_BYTES, 1)]);
