import { useCallback } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { useClient } from "../../../kit/loading/use-client.ts";
import { isoDay, startOfDay } from "../../../ui/day.ts";
import { addDays, daysOf } from "../../../ui/month.ts";

/** Returns a function that finds the days of a month with messages, in the reader's time zone; null if the request fails. */
export function useDaysWithMessages(key: ChatKey): (month: string) => Promise<ReadonlySet<string> | null> {
  const { chats } = useClient();
  return useCallback(
    async (month) => {
      const days = daysOf(month);
      const starts = [...days, addDays(days.at(-1) ?? "", 1)].map(startOfDay);
      const result = await chats.daysWithMessages(key, starts);
      return result.ok ? new Set(result.value.map((start) => isoDay(new Date(start)))) : null;
    },
    [chats, key],
  );
}
