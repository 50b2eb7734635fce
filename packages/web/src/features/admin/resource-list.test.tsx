import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { PAGE_SIZE, pageCountOf, type PagedRows, ResourceList } from "./resource-list.tsx";

interface Row {
  readonly id: number;
  readonly name: string;
}

function markupOf(part: Partial<PagedRows<Row>>): string {
  const rows: PagedRows<Row> = {
    value: {
      total: 2,
      rows: [
        { id: 1, name: "Lin" },
        { id: 2, name: "Bo" },
      ],
    },
    failure: null,
    isLoading: false,
    reload: () => undefined,
    query: "",
    setQuery: () => undefined,
    page: 1,
    pageCount: pageCountOf(part.value?.total ?? 2),
    setPage: () => undefined,
    ...part,
  };
  return renderToStaticMarkup(
    <ResourceList
      label="people"
      columns={[{ id: "name", header: "Name", cell: ({ name }) => name }]}
      rows={rows}
      rowKey={({ id }) => id}
      onOpen={() => undefined}
      searchLabel="find"
      emptyText="nobody here"
    />,
  );
}

test("a list shows its rows as buttons, and no way to other pages if there are none", () => {
  const markup = markupOf({});
  expect(markup).toMatch(/<button[^>]*aria-haspopup="dialog"[^>]*>Lin</);
  expect(markup).not.toContain("admin.nextPage");
});

test("a list without rows says so, and otherwise after a search", () => {
  const value = { total: 0, rows: [] };
  expect(markupOf({ value })).toContain("nobody here");
  expect(markupOf({ value, query: "zz" })).toContain("admin.nothingFound");
  expect(markupOf({ value, query: "zz" })).not.toContain("nobody here");
});

test("a page that has no rows left shows a skeleton while the one before it is awaited", () => {
  const markup = markupOf({ value: { total: PAGE_SIZE, rows: [] }, isLoading: true });
  expect(markup).toContain('aria-busy="true"');
  expect(markup).not.toContain("nobody here");
});

test("a list that could not be loaded again says why and keeps its rows", () => {
  const markup = markupOf({ failure: { kind: "network", reason: "offline" } });
  expect(markup).toContain("failure.offline");
  expect(markup).toContain("Lin");
});

test("a list that was never loaded shows a skeleton while it waits, and only the reason once it failed", () => {
  expect(markupOf({ value: null, isLoading: true })).toContain('aria-busy="true"');
  const failed = markupOf({ value: null, failure: { kind: "network", reason: "offline" } });
  expect(failed).toContain("failure.offline");
  expect(failed).not.toContain('aria-busy="true"');
});

test("the first page leads forward only, the last page back only", () => {
  const value = { total: 2 * PAGE_SIZE + 1, rows: [{ id: 1, name: "Lin" }] };
  const disabled = (page: number) =>
    [...markupOf({ value, page }).matchAll(/<button[^>]*disabled=""[^>]*>/g)].map(
      ([button]) => /aria-label="admin\.(\w+)Page"/.exec(button)?.[1],
    );
  expect(disabled(1)).toEqual(["first", "previous"]);
  expect(disabled(2)).toEqual([]);
  expect(disabled(3)).toEqual(["next", "last"]);
});

test.each([
  [0, 1],
  [1, 1],
  [PAGE_SIZE, 1],
  [PAGE_SIZE + 1, 2],
  [100_000, 100_000 / PAGE_SIZE],
])("%i rows fill %i pages", (total, pages) => {
  expect(pageCountOf(total)).toBe(pages);
});
