import { describe, expect, test } from "vitest";
import type { TimelineRow } from "@parley/core/model/chats/timeline";
import type { Chat } from "@parley/core/model/state";
import { hasScrollDownButton, unreadToVisit } from "./scroll-down.tsx";

const ROW_PX = 100;
const VIEW_PX = 400;

const row = (id: number, selfSend = false) =>
  ({ kind: "message", key: `${id}`, message: { id, system: null, selfSend } }) as TimelineRow;
const rows = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => row(id));

const chat = (unread: number[], hasNewer = false) =>
  ({ sync: { unread }, window: { hasNewer } }) as unknown as Chat;

/** A view whose upper edge is this far below the first row. */
const viewAt = (top: number) => ({
  view: () => ({ above: top, below: rows.length * ROW_PX - VIEW_PX - top, height: VIEW_PX }),
  rowBox: (index: number) => ({ top: index * ROW_PX - top, bottom: (index + 1) * ROW_PX - top }),
});

describe("the scroll-down button", () => {
  test("is shown far from the end, or if newer messages are not loaded", () => {
    expect(hasScrollDownButton(chat([]), rows, viewAt(159))).toBe(true);
    expect(hasScrollDownButton(chat([]), rows, viewAt(160))).toBe(false);
    expect(hasScrollDownButton(chat([], true), rows, viewAt(400))).toBe(true);
  });

  test("is shown while the end of the newest unread message is below the view", () => {
    expect(hasScrollDownButton(chat([3, 7]), rows, viewAt(299))).toBe(true);
    expect(hasScrollDownButton(chat([3, 7]), rows, viewAt(300))).toBe(false);
    expect(hasScrollDownButton(chat([3, 99]), rows, viewAt(299)), "not loaded").toBe(false);
  });
});

describe("a click on it", () => {
  test("leads to the first unread message if another message is between it and the view", () => {
    expect(unreadToVisit(chat([6, 8]), rows, viewAt(0), -1)).toEqual({ position: 6, row: row(6) });
    expect(unreadToVisit(chat([5, 8]), rows, viewAt(1), -1), "it is next").toBeNull();
    expect(unreadToVisit(chat([1, 8]), rows, viewAt(0), -1), "it is the first").toBeNull();
  });

  test("leads to the end the second time, until more messages arrive", () => {
    expect(unreadToVisit(chat([6, 8]), rows, viewAt(0), 8)).toBeNull();
    expect(unreadToVisit(chat([6, 9]), rows, viewAt(0), 8)?.position).toBe(6);
  });

  test("leads to an unread message that is not loaded yet", () => {
    expect(unreadToVisit(chat([20], true), rows, viewAt(0), -1)).toEqual({ position: 20, row: undefined });
    expect(unreadToVisit(chat([20]), rows, viewAt(0), -1)).toBeNull();
  });

  test("leads to the end if everything is read", () => {
    expect(unreadToVisit(chat([], true), rows, viewAt(0), -1)).toBeNull();
  });

  test("does not lead to one's own message with the same number", () => {
    expect(unreadToVisit(chat([6]), [...rows.slice(0, 5), row(6, true)], viewAt(0), -1)).toBeNull();
  });
});
