import { describe, expect, test } from "vitest";
import type { TimelineRow } from "@parley/core/model/chats/timeline";
import { orderAnchors, ScrollPosition, type TimelineContent, type VisiblePart } from "./scroll-position.ts";

const ROW_PX = 100;
const VIEW_PX = 400;

function timeRows(from: number, to: number): TimelineRow[] {
  return Array.from({ length: to - from }, (_, index) => ({ kind: "time", key: `${from + index}`, time: 0 }));
}

const divider: TimelineRow = { kind: "unread", key: "unread" };
const hasKey = (key: string) => (row: TimelineRow) => row.key === key;

/** Sets rows that are all 100 px high. The view shows the rows from `visible` on. */
function setRows(
  position: ScrollPosition,
  rows: readonly TimelineRow[],
  content: Partial<TimelineContent> = {},
  visible: VisiblePart = viewAt(position, "0"),
): boolean {
  const hasChanged = position.setRows(
    { rows, isEnd: true, isPulled: false, openAt: "firstUnread", ...content },
    () => visible,
  );
  for (const { key } of rows) position.heights.setHeight(key, ROW_PX);
  return hasChanged;
}

/** A view whose first rows are these, each 100 px below the one before. */
function viewAt(position: ScrollPosition, ...keys: string[]): VisiblePart {
  const { heights } = position;
  const top = heights.edge(Math.max(0, heights.indexOf(keys[0] ?? "")));
  return {
    anchors: keys.map((key, index) => ({ key, y: index * ROW_PX })),
    top,
    below: Math.max(0, heights.edge(heights.count) - VIEW_PX - top),
  };
}

/** A chat with the rows 0 to 39. */
function opened(content: Partial<TimelineContent> = {}, rows = timeRows(0, 40)): ScrollPosition {
  const position = new ScrollPosition();
  setRows(position, rows, content);
  return position;
}

describe("opening a chat", () => {
  test("shows and follows the end", () => {
    const position = opened();
    expect(position.anchor(VIEW_PX)).toBeUndefined();
    expect(position.isFollowing).toBe(true);
    expect(position.rangeAtTarget(VIEW_PX)).toEqual({ first: 28, end: 40 });
  });

  test("places the unread divider at a quarter of the view", () => {
    const position = opened({}, [...timeRows(0, 20), divider, ...timeRows(20, 40)]);
    expect(position.anchor(VIEW_PX)).toEqual({ key: "unread", index: 20, y: 100 });
    expect(position.isFollowing).toBe(false);
    expect(position.rangeAtTarget(VIEW_PX)).toEqual({ first: 11, end: 32 });
  });

  test("shows and follows the end although there is a divider, for people who open chats at the newest message", () => {
    const position = opened({ openAt: "newest" }, [...timeRows(0, 20), divider, ...timeRows(20, 40)]);
    expect(position.anchor(VIEW_PX)).toBeUndefined();
    expect(position.isFollowing).toBe(true);
  });

  test("shows the end if everything from the divider on fits into the view", () => {
    const position = opened({}, [...timeRows(0, 20), divider, ...timeRows(20, 22)]);
    const view = { top: 1_900, below: 0 };
    position.preferEnd({ first: 12, end: 22 }, view);
    expect(position.targetKind, "the last row is not measured").toBe("row");
    position.preferEnd({ first: 12, end: 23 }, { top: 1_900, below: 101 });
    expect(position.targetKind, "a row is below the view").toBe("row");
    position.preferEnd({ first: 12, end: 23 }, view);
    expect(position.targetKind).toBe("end");
    expect(position.isFollowing).toBe(true);
  });

  test("keeps the divider in place if newer messages are not loaded", () => {
    const position = opened({ isEnd: false }, [...timeRows(0, 20), divider, ...timeRows(20, 22)]);
    position.preferEnd({ first: 12, end: 23 }, { top: 1_900, below: 0 });
    expect(position.targetKind).toBe("row");
  });

  test("moves to a divider that a pull brings, unless the person has scrolled", () => {
    const pulled = [...timeRows(0, 40), divider, ...timeRows(40, 60)];
    const atRest = opened();
    setRows(atRest, pulled, { isPulled: true });
    expect(atRest.anchor(VIEW_PX)?.key).toBe("unread");

    const scrolled = opened();
    scrolled.userScrolled(viewAt(scrolled, "36"));
    setRows(scrolled, pulled, { isPulled: true });
    expect(scrolled.targetKind).toBe("end");

    const jumped = opened();
    jumped.targetRow("5", 0.25);
    setRows(jumped, pulled, { isPulled: true });
    expect(jumped.anchor(VIEW_PX)?.key).toBe("5");

    const online = opened();
    setRows(online, pulled);
    expect(online.targetKind).toBe("end");
  });
});

test("a divider that is there already does not move the view again", () => {
  const rows = [...timeRows(0, 20), divider, ...timeRows(20, 40)];
  const position = opened({}, rows);
  position.keepVisible(viewAt(position, "22"));
  setRows(position, [...rows, ...timeRows(40, 60)], { isPulled: true });
  expect(position.anchor(VIEW_PX)?.key).toBe("22");
});

describe("new rows", () => {
  test("are followed at the end, and not while the person reads further up", () => {
    const position = opened();
    setRows(position, timeRows(0, 41));
    expect(position.targetKind).toBe("end");

    position.userScrolled(viewAt(position, "10", "11"));
    setRows(position, timeRows(0, 42));
    expect(position.isFollowing).toBe(false);
    expect(position.anchor(VIEW_PX)).toEqual({ key: "10", index: 10, y: 0 });
  });

  test("are followed from close to the end too", () => {
    const position = opened();
    position.userScrolled({ ...viewAt(position, "35"), below: 48 });
    expect(position.anchor(VIEW_PX)?.key).toBe("35");
    setRows(position, timeRows(0, 41));
    expect(position.targetKind).toBe("end");

    position.userScrolled({ ...viewAt(position, "36"), below: 48 });
    setRows(position, timeRows(-5, 41));
    expect(position.anchor(VIEW_PX)?.key, "the new rows are older").toBe("36");

    position.userScrolled({ ...viewAt(position, "36"), below: 49 });
    setRows(position, timeRows(0, 42));
    expect(position.targetKind).toBe("rows");
  });

  test("above the view do not move it", () => {
    const position = opened();
    position.userScrolled(viewAt(position, "10", "11"));
    setRows(position, timeRows(-5, 40));
    expect(position.anchor(VIEW_PX)).toEqual({ key: "10", index: 15, y: 0 });
    expect(position.rangeAtTarget(VIEW_PX)).toEqual({ first: 7, end: 28 });
  });

  test("without the anchor keep the next visible row in place", () => {
    const position = opened();
    position.userScrolled(viewAt(position, "10", "11"));
    setRows(
      position,
      timeRows(0, 40).filter(({ key }) => key !== "10"),
    );
    expect(position.anchor(VIEW_PX)).toEqual({ key: "11", index: 10, y: 100 });
  });

  test("that end before the newest message keep the visible rows in place", () => {
    const position = opened();
    setRows(position, timeRows(0, 39), { isEnd: false }, viewAt(position, "36"));
    expect(position.anchor(VIEW_PX)).toEqual({ key: "36", index: 36, y: 0 });
    expect(position.isFollowing).toBe(false);
  });

  test("without any visible row show their first row, or the end of the chat", () => {
    const position = opened();
    position.userScrolled(viewAt(position, "10"));
    setRows(position, timeRows(100, 140), { isEnd: false });
    expect(position.anchor(VIEW_PX)).toEqual({ key: "100", index: 0, y: 0 });
    setRows(position, timeRows(200, 240));
    expect(position.targetKind).toBe("end");

    position.userScrolled(viewAt(position, "210"));
    setRows(position, []);
    expect(position.targetKind).toBe("end");
  });

  test("are reported only if they differ", () => {
    const position = new ScrollPosition();
    const rows = timeRows(0, 3);
    expect(setRows(position, rows)).toBe(true);
    expect(setRows(position, rows)).toBe(false);
    expect(setRows(position, rows, { isEnd: false })).toBe(true);
  });
});

describe("a target", () => {
  test("waits for its row", () => {
    const position = opened();
    position.targetFirst(hasKey("50"), 0.3);
    expect(position.targetKind).toBe("end");
    setRows(position, timeRows(30, 60), { isEnd: false });
    expect(position.anchor(VIEW_PX)).toEqual({ key: "50", index: 20, y: 120 });
  });

  test("is forgotten when it is cancelled", () => {
    const position = opened();
    position.targetFirst(hasKey("50"), 0.3);
    position.cancelPending();
    setRows(position, timeRows(0, 60));
    expect(position.targetKind).toBe("end");
  });

  test("at the end waits until the end is loaded, and is followed then", () => {
    const position = opened({ isEnd: false });
    position.targetRow("5", 0.25);
    expect(position.targetEnd()).toBe(false);
    expect(position.targetKind).toBe("row");
    setRows(position, timeRows(0, 50));
    expect(position.targetKind).toBe("end");
    expect(position.isFollowing).toBe(true);
    expect(position.targetEnd()).toBe(true);
  });

  test("is where the person scrolled to, also if none of its rows is mounted", () => {
    const position = opened();
    position.userScrolled({ anchors: [], top: 1_050, below: 2_550 });
    expect(position.anchor(VIEW_PX)).toEqual({ key: "10", index: 10, y: -50 });
  });

  test("is the end once the person scrolls there, unless newer messages are not loaded", () => {
    const position = opened();
    position.userScrolled(viewAt(position, "10"));
    position.userScrolled(viewAt(position, "36"));
    expect(position.targetKind).toBe("end");

    const inHistory = opened({ isEnd: false });
    inHistory.userScrolled(viewAt(inHistory, "36"));
    expect(inHistory.targetKind).toBe("rows");
    expect(inHistory.isFollowing).toBe(false);
  });
});

describe("a scroll that was not reported", () => {
  test("is adopted", () => {
    const position = opened();
    position.userScrolled(viewAt(position, "10"));
    position.adoptScroll(1_000, 1_030, 3_600);
    expect(position.anchor(VIEW_PX)?.y).toBe(-30);
    position.adoptScroll(1_030, 1_030.9, 3_600);
    expect(position.anchor(VIEW_PX)?.y).toBe(-30);
  });

  test("is not adopted if the content became shorter", () => {
    const position = opened();
    position.userScrolled(viewAt(position, "10"));
    position.adoptScroll(1_000, 600, 600);
    expect(position.anchor(VIEW_PX)?.y).toBe(0);
  });

  test("does not change a row that has not been reached, nor the end", () => {
    const position = opened();
    position.adoptScroll(3_600, 3_000, 3_600);
    expect(position.targetKind).toBe("end");
    position.targetRow("10", 0.25);
    position.adoptScroll(1_000, 1_030, 3_600);
    expect(position.anchor(VIEW_PX)?.y).toBe(100);
  });
});

test("rows close to the ends are mounted for the view that can be reached", () => {
  const position = opened();
  position.targetRow("0", 0.25);
  expect(position.rangeAtTarget(VIEW_PX)).toEqual({ first: 0, end: 13 });
  position.targetRow("39", 0.25);
  expect(position.rangeAtTarget(VIEW_PX)).toEqual({ first: 28, end: 40 });
});

test("a smooth scroll to the end mounts the rows on its way, but not too many", () => {
  expect(opened().rangeToEnd(3_000)).toEqual({ first: 22, end: 40 });
  const { first, end } = opened({}, timeRows(0, 300)).rangeToEnd(1_000);
  expect(end - first).toBe(100);
});

const body = (key: string, top: number, isMessage = true) => ({ key, top, bottom: top + 50, isMessage });

test("anchors are the visible messages, those cut off at the top and other rows last", () => {
  const bodies = [
    body("time", 10, false),
    body("cut", -20),
    body("third", 210),
    body("first", 0),
    body("second", 60),
  ];
  expect(orderAnchors(bodies, 400)).toEqual([
    { key: "first", y: 0 },
    { key: "second", y: 60 },
    { key: "third", y: 210 },
    { key: "cut", y: -20 },
    { key: "time", y: 10 },
  ]);
});

test("rows outside the view are no anchors", () => {
  expect(orderAnchors([body("above", -50), body("below", 400)], 400)).toEqual([]);
});
