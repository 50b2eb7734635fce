import { type ReactNode, useEffect, useId, useState } from "react";
import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from "lucide-react";
import type { Result } from "@parley/core/model/state";
import { useLocale, useText } from "../../kit/i18n/i18n.ts";
import { type Loaded, useLoaded } from "../../kit/loading/use-loaded.ts";
import { IconButton } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import { SearchIllustration } from "../../ui/illustrations.tsx";
import { Box, Row, Stack, Text } from "../../ui/layout.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { useIsMobile } from "../../ui/use-media.ts";
import { LoadFailure } from "./admin-page.tsx";
import styles from "./resource-list.module.css";

/** A column of a list; on a phone, a line of each row. */
export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** For numbers: aligned at the end. */
  readonly isNumber?: boolean;
}

interface ResourceListProps<Row> {
  /** What the rows are, for screen readers. */
  label: string;
  /** The first column names the row. */
  columns: readonly Column<Row>[];
  rows: PagedRows<Row>;
  rowKey: (row: Row) => string | number;
  /** Opens a row: its first column becomes a button over the whole row. */
  onOpen?: (row: Row) => void;
  /** Label of the search field; without it there is none. */
  searchLabel?: string;
  /** Controls beside the search field. */
  filters?: ReactNode;
  /** Said when there is no row at all. */
  emptyText: string;
}

/** Rows that the server searches and pages: a table, on a phone a list. */
export function ResourceList<Row>(props: ResourceListProps<Row>) {
  const { label, rows, searchLabel, filters, emptyText } = props;
  const t = useText();
  const isMobile = useIsMobile();
  const { value, failure, isLoading } = rows;
  const isSearch = rows.query.trim() !== "";
  return (
    <Stack shrink>
      {(searchLabel !== undefined || filters !== undefined) && (
        <Row wrap marginBottom={12} className={styles.bar}>
          {searchLabel !== undefined && (
            <Row align="stretch" className={styles.search}>
              <SearchBox
                label={searchLabel}
                value={rows.query}
                onChange={(event) => rows.setQuery(event.currentTarget.value)}
              />
            </Row>
          )}
          {filters}
        </Row>
      )}
      {failure !== null && <LoadFailure failure={failure} onRetry={rows.reload} />}
      {value === null || (value.rows.length === 0 && value.total > 0) ? (
        isLoading && <SkeletonRows />
      ) : value.rows.length === 0 ? (
        <EmptyState
          illustration={<SearchIllustration />}
          text={isSearch ? t("admin.nothingFound") : emptyText}
        />
      ) : (
        <Box shrink className={classNames(styles.rows, isLoading && styles.stale)} aria-busy={isLoading}>
          {isMobile ? (
            <Cards {...props} shown={value.rows} />
          ) : (
            <Table {...props} shown={value.rows} label={label} />
          )}
        </Box>
      )}
      {value !== null && <Pager rows={rows} total={value.total} />}
    </Stack>
  );
}

type ShownRows<Row> = ResourceListProps<Row> & { shown: readonly Row[] };

function Table<Row>({ label, columns, shown, rowKey, onOpen }: ShownRows<Row>) {
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ id, header, isNumber = false }) => (
            <th key={id} scope="col" className={isNumber ? styles.number : undefined}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map((row) => (
          <tr key={rowKey(row)} className={onOpen === undefined ? undefined : styles.opens}>
            {columns.map(({ id, cell, isNumber = false }, index) => (
              <td key={id} className={isNumber ? styles.number : undefined}>
                {index === 0 ? (
                  <Opener row={row} onOpen={onOpen}>
                    {cell(row)}
                  </Opener>
                ) : (
                  cell(row)
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cards<Row>({ label, columns, shown, rowKey, onOpen }: ShownRows<Row>) {
  const [first, ...rest] = columns;
  return (
    <ul aria-label={label}>
      {shown.map((row) => (
        <li key={rowKey(row)} className={classNames(styles.card, onOpen !== undefined && styles.opens)}>
          {first !== undefined && (
            <Opener row={row} onOpen={onOpen}>
              {first.cell(row)}
            </Opener>
          )}
          <Stack as="dl" gap={2} size={13} marginTop={4}>
            {rest.map(({ id, header, cell }) => {
              const content = cell(row);
              return (
                content !== null && (
                  <Row key={id} gap={12} align="stretch" className={styles.line}>
                    <dt>{header}</dt>
                    <dd>{content}</dd>
                  </Row>
                )
              );
            })}
          </Stack>
        </li>
      ))}
    </ul>
  );
}

function Opener<Row>({
  row,
  onOpen,
  children,
}: {
  row: Row;
  onOpen: ((row: Row) => void) | undefined;
  children: ReactNode;
}) {
  if (onOpen === undefined) return children;
  return (
    <button type="button" className={styles.opener} aria-haspopup="dialog" onClick={() => onOpen(row)}>
      {children}
    </button>
  );
}

/** Which rows are shown, and the way to the others. */
function Pager<Row>({ rows, total }: { rows: PagedRows<Row>; total: number }) {
  const t = useText();
  const locale = useLocale();
  const id = useId();
  const { page, pageCount, setPage } = rows;
  const from = Math.min(total, (page - 1) * PAGE_SIZE + 1);
  const to = Math.min(total, page * PAGE_SIZE);
  const steps = [
    { text: t("admin.firstPage"), Icon: ChevronsLeft, to: 1, isOff: page <= 1 },
    { text: t("admin.previousPage"), Icon: ChevronLeft, to: page - 1, isOff: page <= 1 },
    { text: t("admin.nextPage"), Icon: ChevronRight, to: page + 1, isOff: page >= pageCount },
    { text: t("admin.lastPage"), Icon: ChevronsRight, to: pageCount, isOff: page >= pageCount },
  ];
  if (total === 0) return null;
  const numbers = new Intl.NumberFormat(locale);
  return (
    <Row as="nav" gap={4} justify="end" paddingY={12} aria-labelledby={id}>
      <Text as="output" id={id} size={13} tone="tertiary" className={styles.range}>
        {t("admin.range", {
          from: numbers.format(from),
          to: numbers.format(to),
          total: numbers.format(total),
        })}
      </Text>
      {pageCount > 1 &&
        steps.map(({ text, Icon, to: target, isOff }) => (
          <IconButton key={text} label={text} disabled={isOff} onClick={() => setPage(target)}>
            <Icon {...ICON_PROPS} />
          </IconButton>
        ))}
    </Row>
  );
}

/** Rows of one page. */
export const PAGE_SIZE = 50;

const SEARCH_PAUSE_MS = 250;

/** One page of a list, and how many rows all pages have. */
interface Page<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
}

/** What a list asks the server for, as its calls take it: pages count from 0, and there is a query only if one is searched for. */
interface PageRequest {
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
