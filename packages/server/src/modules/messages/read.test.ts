import { expect, test } from "vitest";
import { pageOf } from "./read.ts";

test.each([
  [{}, { from: "newest" }],
  [{ maxId: 7 }, { from: "before", id: 7 }],
  [{ minId: 0 }, { from: "after", id: 0 }],
  [{ aroundId: 7 }, { from: "around", id: 7 }],
  [{ at: 9 }, { from: "time", at: 9 }],
  [{ page: 2 }, { from: "page", page: 2 }],
  [{ page: 0 }, { from: "page", page: 1 }],
])("a page asked for by %j", (query, page) => {
  expect(pageOf(query)).toEqual({ ...page, size: 20 });
  expect(pageOf({ ...query, size: 3 })).toEqual({ ...page, size: 3 });
});

test("of two positions the second is named as the one too many", () => {
  expect(() => pageOf({ minId: 1, page: 1 })).toThrow(
    expect.objectContaining({ params: { field: "page", problem: "does not go with minId" } }),
  );
});
