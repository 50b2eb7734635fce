import type { PrivateMessage } from "@parley/protocol/message";
import type { SingleClient } from "./single-client.ts";
import { flushMicrotasks } from "./flush-microtasks.ts";

/** Answers all pending requests for history, and those that follow, from these rows (ascending ids). Returns their queries. */
export async function answerHistory(
  single: SingleClient,
  rows: readonly PrivateMessage[],
): Promise<string[]> {
  const queries: string[] = [];
  for (;;) {
    await flushMicrotasks();
    const url = single.waiting().find((waiting) => waiting.includes("/private/history?"));
    if (url === undefined) return queries;
    const query = url.slice(url.indexOf("?") + 1);
    queries.push(query);
    await single.respond(query, historyPage(rows, parseQuery(query)));
  }
}

/** The query of a history request (protocol §5). */
export interface HistoryPageQuery {
  readonly maxId?: number | undefined;
  readonly minId?: number | undefined;
  readonly aroundId?: number | undefined;
  readonly at?: number | undefined;
  readonly size?: number | undefined;
}

/** The page of rows that a server returns for a query (protocol §5). */
export function historyPage<Row extends { id: number; sendTime: number }>(
  rows: readonly Row[],
  query: HistoryPageQuery,
): Row[] {
  const { maxId = Infinity, minId, aroundId, at, size = 20 } = query;
  if (minId !== undefined) return rows.filter((row) => row.id > minId).slice(0, size);
  if (aroundId !== undefined || at !== undefined) {
    const index = rows.findIndex((row) =>
      at === undefined ? row.id >= (aroundId ?? 0) : row.sendTime >= at,
    );
    const pivot = index < 0 ? rows.length : index;
    const half = Math.floor(size / 2);
    return rows.slice(Math.max(0, pivot - half), pivot + size - half);
  }
  return rows
    .filter((row) => row.id < maxId)
    .slice(-size)
    .toReversed();
}

function parseQuery(text: string): HistoryPageQuery {
  return Object.fromEntries(
    text.split("&").map((pair) => {
      const [name = "", value = ""] = pair.split("=");
      return [name, Number(value)];
    }),
  );
}
