import { useEffect, useState } from "react";
import type { Result } from "@parley/core/model/state";
import { type Loaded, useLoaded } from "./use-loaded.ts";

/** Rows of one page. */
export const PAGE_SIZE = 50;

const SEARCH_PAUSE_MS = 250;

/** One page of a list, and how many rows all pages have. */
export interface Page<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
}

/** What a list asks the server for, as its calls take it: pages count from 0, and there is a query only if one is searched for. */
export interface PageRequest {
  readonly query?: string;
  readonly page: number;
  readonly size: number;
}

/** A list that the server searches and pages. */
export interface PagedRows<Row> extends Loaded<Page<Row>> {
  /** The typed text; it is searched for after a pause. */
  readonly query: string;
  setQuery(query: string): void;
  /** Counts from 1, as people do. */
  readonly page: number;
  readonly pageCount: number;
  setPage(page: number): void;
}

/** The state of a list. `filter` names further conditions that `load` uses; when they change, the list starts at its first page. */
export function usePagedRows<Row>(
  load: (request: PageRequest) => Promise<Result<Page<Row>>>,
  filter = "",
): PagedRows<Row> {
  const [query, setQuery] = useState("");
  const searched = useAfterPause(query.trim());
  const subject = `${filter} ${searched}`;
  const [place, setPlace] = useState({ subject, page: 1 });
  const page = place.subject === subject ? place.page : 1;
  const request = { page: page - 1, size: PAGE_SIZE, ...(searched !== "" && { query: searched }) };
  const loaded = useLoaded(() => load(request), `${page} ${subject}`);
  const pageCount = pageCountOf(loaded.value?.total ?? 0);
  // The last row of the last page is gone. Only an answer without rows tells: the total of an older one may be outdated.
  if (loaded.value?.rows.length === 0 && page > pageCount) setPlace({ subject, page: pageCount });
  return {
    ...loaded,
    query,
    setQuery,
    page,
    pageCount,
    setPage: (next) => setPlace({ subject, page: Math.min(Math.max(1, next), pageCount) }),
  };
}

/** The row of a list whose dialog is open. It stays open when a newer page lacks it, e.g. because it no longer fits the filter. */
export function useOpenRow<Row extends { readonly id: number }>({ value, reload }: PagedRows<Row>) {
  const [opened, setOpened] = useState<Row | null>(null);
  const row = value?.rows.find(({ id }) => id === opened?.id) ?? opened;
  return {
    row,
    open: (next: Row) => setOpened(next),
    close: () => setOpened(null),
    /** Loads the page again after an act. What the act has changed counts if the page lacks the row then. */
    change(part: Partial<Row>) {
      if (row !== null) setOpened({ ...row, ...part });
      reload();
    },
  };
}

/** How many pages these rows fill; at least one. */
export function pageCountOf(total: number): number {
  return Math.max(1, Math.ceil(total / PAGE_SIZE));
}

/** The value as it was when it had not changed for a moment. An empty one counts at once. */
function useAfterPause(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), value === "" ? 0 : SEARCH_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
