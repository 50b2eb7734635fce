import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Badge } from "./badge.tsx";
import type { BadgeProps } from "./badge.tsx";

/** What the badge shows: a number, "" for a dot, null for no badge. */
function shownBy(props: BadgeProps): string | null {
  const markup = renderToStaticMarkup(<Badge {...props} />);
  return /data-badge="([^"]*)"/.exec(markup)?.[1] ?? null;
}

test.each([
  ["no unread message", { count: 0 }, null],
  ["unread messages", { count: 7 }, "7"],
  ["very many unread messages", { count: 100 }, "99+"],
  ["a muted chat", { count: 7, isMuted: true }, ""],
  ["a muted chat without unread messages", { count: 0, isMuted: true }, null],
  ["a chat marked as unread", { count: 0, isMarked: true }, ""],
  ["a chat that is marked and has unread messages", { count: 7, isMarked: true }, "7"],
])("the badge of %s", (_, props, shown) => {
  expect(shownBy(props)).toBe(shown);
});
