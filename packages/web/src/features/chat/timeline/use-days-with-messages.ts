import { useCallback } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { useClient } from "../../../kit/use-client.ts";
import { isoDay, startOfDay } from "../../../ui/day.ts";
import { addDays, daysOf } from "../../../ui/month.ts";

/** Finds the days of a month on which a chat has messages, as the reader's clock has them; null: nobody could tell. */
export function useDaysWithMessages(key: ChatKey): (month: string) => Promise<ReadonlySet<string> | null> {
  const { chats } = useClient();
  return useCallback(
    async (month) => {
      const days = daysOf(month);
      const starts = [...days, addDays(days.at(-1) ?? "", 1)].map(startOfDay);
      const found = await chats.daysWithMessages(key, starts);
      return found.ok ? new Set(found.value.map((start) => isoDay(new Date(start)))) : null;
    },
    [chats, key],
  );
}
