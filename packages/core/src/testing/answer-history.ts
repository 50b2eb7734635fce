import type { PrivateMessage } from "@parley/protocol/message";
import type { SingleClient } from "./single-client.ts";
import { flushMicrotasks } from "./flush-microtasks.ts";

/** Answers every request for history that waits, and those that follow, out of the rows the server has (ascending); answers their queries. */
export async function answerHistory(
  single: SingleClient,
  rows: readonly PrivateMessage[],
): Promise<string[]> {
  const asked: string[] = [];
  for (;;) {
    await flushMicrotasks();
    const url = single.waiting().find((waiting) => waiting.includes("/private/history?"));
    if (url === undefined) return asked;
    const query = url.slice(url.indexOf("?") + 1);
    asked.push(query);
    await single.respond(query, historyPage(rows, readQuery(query)));
  }
}

export interface HistoryPageQuery {
  readonly maxId?: number | undefined;
  readonly minId?: number | undefined;
  readonly aroundId?: number | undefined;
  readonly at?: number | undefined;
  readonly size?: number | undefined;
}

/** A page as protocol §5 has it. */
export function historyPage<Row extends { id: number; sendTime: number }>(
  rows: readonly Row[],
  query: HistoryPageQuery,
): Row[] {
  const { maxId = Infinity, minId, aroundId, at, size = 20 } = query;
  if (minId !== undefined) return rows.filter((row) => row.id > minId).slice(0, size);
  if (aroundId !== undefined || at !== undefined) {
    const place = rows.findIndex((row) =>
      at === undefined ? row.id >= (aroundId ?? 0) : row.sendTime >= at,
    );
    const pivot = place < 0 ? rows.length : place;
    const half = Math.floor(size / 2);
    return rows.slice(Math.max(0, pivot - half), pivot + size - half);
  }
  return rows
    .filter((row) => row.id < maxId)
    .slice(-size)
    .toReversed();
}

function readQuery(text: string): HistoryPageQuery {
  return Object.fromEntries(
    text.split("&").map((pair) => {
      const [name = "", value = ""] = pair.split("=");
      return [name, Number(value)];
    }),
  );
}
