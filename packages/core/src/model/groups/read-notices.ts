import * as z from "zod/mini";
import type { SharedValue } from "../shared-value.ts";

/** By group, the text of the notice that was read on this device. */
type ReadNotices = Readonly<Record<number, string>>;

export const readNotices: SharedValue<ReadNotices, { groupId: number; notice: string }> = {
  initial: {},
  schema: z.record(z.string(), z.string()),
  changeSchema: z.object({ groupId: z.number(), notice: z.string() }),
  reduce: (texts, { groupId, notice }) =>
    texts[groupId] === notice ? texts : { ...texts, [groupId]: notice },
  // It shows what others wrote.
  endsWithLogin: true,
};
