import { expect, test } from "vitest";
import type { HistoryPage } from "../../ports/stored-message.ts";
import { newMessage, NOON, type StoreContext } from "./store-fixtures.ts";

/** The rules for appending private messages and reading pages of a chat. */
export function privateMessageContract(context: StoreContext): void {
  const ids = async (userId: number, friendId: number, page: HistoryPage) =>
    (await context.store.listHistory("PRIVATE", userId, friendId, page)).map((row) => row.id);

  test("a message is stored exactly: text, tip, call result and receiver", async () => {
    await context.people(2);
    const content = "1'; drop table — 你好 😀 \\ %\n\t";
    const tip = { key: "friend.added", params: { name: "安", n: 2 } };
    const act = { result: "ok", seconds: 61 };
    const { row, isNew } = await context.store.appendPrivate(
      newMessage(1, 2, { tmpId: "t", type: 40, content, sendNickName: "安", tip, act, onlyFor: 2 }),
    );
    expect(isNew).toBe(true);
    expect(row).toEqual({
      receivedAt: null,
      id: row.id,
      tmpId: "t",
      type: 40,
      sendId: 1,
      recvId: 2,
      sendNickName: "安",
      content,
      sendTime: NOON,
      tip,
      act,
      onlyFor: 2,
      quote: null,
      editedAt: null,
      noticeId: null,
    });
    expect(await context.store.findMessage("PRIVATE", row.id)).toEqual(row);
    expect(await context.store.findMessage("PRIVATE", row.id + 1)).toBeUndefined();
  });

  test("a repeated (sendId, tmpId) returns the first row and writes nothing, also after reopening", async () => {
    await context.people(3);
    const first = await context.store.appendPrivate(newMessage(1, 2, { tmpId: "t", content: "first" }));
    const repeat = newMessage(1, 3, { tmpId: "t", content: "second", sendTime: NOON + 9 });
    expect(await context.store.appendPrivate(repeat)).toEqual({ row: first.row, isNew: false });
    expect(await context.store.write((tx) => tx.appendPrivate(repeat))).toEqual({
      row: first.row,
      isNew: false,
    });
    const again = await context.subject.reopen();
    expect(await again.appendPrivate(repeat)).toEqual({ row: first.row, isNew: false });
    expect(await again.newestVisibleId("PRIVATE", 1, 2)).toBe(first.row.id);
    expect(await again.newestVisibleId("PRIVATE", 1, 3)).toBe(0);
    expect(await again.findMessageByTmpId("PRIVATE", 1, "t")).toEqual(first.row);
    expect(await again.findMessageByTmpId("PRIVATE", 2, "t")).toBeUndefined();
  });

  test("concurrent repeats get one row", async () => {
    await context.people(2);
    const send = () => context.store.appendPrivate(newMessage(1, 2, { tmpId: "t" }));
    const results = await Promise.all(Array.from({ length: 8 }, send));
    expect(new Set(results.map(({ row }) => row.id)).size).toBe(1);
    expect(results.map(({ isNew }) => isNew)).toEqual([true, ...Array(7).fill(false)]);
  });

  test("the same tmpId of another sender, or no tmpId, gives a new message", async () => {
    await context.people(2);
    const results = await Promise.all([
      context.store.appendPrivate(newMessage(1, 2, { tmpId: "t" })),
      context.store.appendPrivate(newMessage(2, 1, { tmpId: "t" })),
      context.store.appendPrivate(newMessage(1, 2)),
      context.store.appendPrivate(newMessage(1, 2)),
    ]);
    expect(results.map(({ isNew }) => isNew)).toEqual([true, true, true, true]);
    expect(new Set(results.map(({ row }) => row.id)).size).toBe(4);
  });

  test("a history page contains one chat only and is the same for both people", async () => {
    await context.people(3);
    const sent: number[] = [];
    for (const [from, to] of [
      [1, 2],
      [3, 1],
      [2, 1],
      [2, 3],
      [1, 2],
    ] as const) {
      const { row } = await context.store.appendPrivate(newMessage(from, to));
      if (from !== 3 && to !== 3) sent.push(row.id);
    }
    const page: HistoryPage = { from: "after", id: 0, size: 10 };
    expect(await ids(1, 2, page)).toEqual(sent);
    expect(await ids(2, 1, page)).toEqual(sent);
    expect(await ids(3, 3, page)).toEqual([]);
  });

  test("every kind of history page returns the right messages", async () => {
    await context.people(2);
    // Ids 1 to 10, one a minute.
    for (let n = 1; n <= 10; n++) {
      await context.store.appendPrivate(
        newMessage((n % 2) + 1, ((n + 1) % 2) + 1, { sendTime: NOON + n * 60_000 }),
      );
    }
    const table: [HistoryPage, number[]][] = [
      [{ from: "newest", size: 3 }, [10, 9, 8]],
      [{ from: "newest", size: 99 }, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]],
      [{ from: "before", id: 4, size: 2 }, [3, 2]],
      [{ from: "before", id: 1, size: 2 }, []],
      [{ from: "before", id: 1_000, size: 1 }, [10]],
      [{ from: "after", id: 7, size: 2 }, [8, 9]],
      [{ from: "after", id: 10, size: 2 }, []],
      [{ from: "around", id: 5, size: 4 }, [3, 4, 5, 6]],
      [{ from: "around", id: 5, size: 3 }, [4, 5, 6]],
      [{ from: "around", id: 1, size: 4 }, [1, 2]],
      [{ from: "around", id: 10, size: 1 }, [10]],
      [{ from: "time", at: NOON + 5 * 60_000, size: 4 }, [3, 4, 5, 6]],
      [{ from: "time", at: NOON + 5 * 60_000 - 1, size: 2 }, [4, 5]],
      [{ from: "time", at: NOON + 5 * 60_000 + 1, size: 2 }, [5, 6]],
      [{ from: "time", at: 0, size: 4 }, [1, 2]],
      [{ from: "time", at: NOON * 2, size: 4 }, [9, 10]],
      [{ from: "page", page: 1, size: 4 }, [10, 9, 8, 7]],
      [{ from: "page", page: 3, size: 4 }, [2, 1]],
      [{ from: "page", page: 4, size: 4 }, []],
    ];
    for (const [page, expected] of table)
      expect(await ids(1, 2, page), JSON.stringify(page)).toEqual(expected);
  });

  test("privateDays returns the days with a visible message, without edits, recalls, hidden, cleared and others' messages", async () => {
    await context.people(3);
    const day = (n: number) => NOON + n * 86_400_000;
    const starts = Array.from({ length: 8 }, (_, n) => day(n));
    const send = async (n: number, part: object = {}) =>
      (await context.store.appendPrivate(newMessage(1, 2, { sendTime: day(n), ...part }))).row.id;
    const days = async (userId: number, friendId: number, of = starts) =>
      (await context.store.listDays("PRIVATE", userId, friendId, of)).map(
        (start) => (start - NOON) / 86_400_000,
      );
    expect(await days(1, 2)).toEqual([]);
    await send(0);
    await context.store.appendPrivate(newMessage(1, 3, { sendTime: day(1) }));
    await send(2, { onlyFor: 1 });
    await send(3, { type: 7 });
    await send(3, { type: 10 });
    await send(4, { sendTime: day(5) - 1 });
    await send(5);
    const hidden = await send(6);
    await send(7);
    await context.store.write((tx) => tx.hideMessages("PRIVATE", 1, 2, [hidden]));
    expect(await days(1, 2)).toEqual([0, 2, 4, 5]);
    expect(await days(2, 1)).toEqual([0, 4, 5, 6]);
    expect(await days(3, 1)).toEqual([1]);
    expect(await days(3, 2)).toEqual([]);
    // Only the given days count, up to their exact ends. A day may have any length.
    expect(await days(2, 1, [day(4), day(5)])).toEqual([4]);
    expect(await days(2, 1, [day(0) + 1, day(4), day(9)])).toEqual([4]);
    await context.store.write((tx) => tx.clearMessages(2));
    expect(await days(2, 1)).toEqual([]);
    expect(await days(1, 2)).toEqual([0, 2, 4, 5]);
  });

  test("an empty chat has empty pages, no newest id and no read id", async () => {
    await context.people(2);
    for (const page of [
      { from: "newest", size: 5 },
      { from: "around", id: 5, size: 5 },
      { from: "time", at: NOON, size: 5 },
    ] as const) {
      expect(await ids(1, 2, page)).toEqual([]);
    }
    expect(await context.store.newestVisibleId("PRIVATE", 1, 2)).toBe(0);
    expect(await context.store.maxReadedId(1, 2)).toBe(-1);
  });

  test("messages to oneself are a separate chat", async () => {
    await context.people(2);
    const { row } = await context.store.appendPrivate(newMessage(1, 1));
    await context.store.appendPrivate(newMessage(1, 2));
    expect(await ids(1, 1, { from: "newest", size: 5 })).toEqual([row.id]);
    expect(await context.store.listPrivate(1, 0, 100, 100)).toHaveLength(2);
  });

  test("a message for one person appears only in that person's lists, pages and positions", async () => {
    await context.people(2);
    const both = (await context.store.appendPrivate(newMessage(1, 2))).row.id;
    const only = (await context.store.appendPrivate(newMessage(1, 2, { type: 21, onlyFor: 2 }))).row.id;
    const kinds = (id: number): HistoryPage[] => [
      { from: "newest", size: 9 },
      { from: "before", id: id + 1, size: 9 },
      { from: "after", id: 0, size: 9 },
      { from: "around", id, size: 9 },
      { from: "time", at: NOON, size: 9 },
      { from: "page", page: 1, size: 9 },
    ];
    for (const page of kinds(only)) {
      expect(await ids(1, 2, page), page.from).toEqual([both]);
      expect(
        (await ids(2, 1, page)).sort((a, b) => a - b),
        page.from,
      ).toEqual([both, only]);
    }
    expect((await context.store.listPrivate(1, 0, only, 9)).map((row) => row.id)).toEqual([both]);
    expect((await context.store.listPrivate(2, 0, only, 9)).map((row) => row.id)).toEqual([both, only]);
    expect(await context.store.newestVisibleId("PRIVATE", 1, 2)).toBe(both);
    expect(await context.store.newestVisibleId("PRIVATE", 2, 1)).toBe(only);
    await context.store.write((tx) => tx.raisePrivateRead(2, 1, only));
    expect(await context.store.maxReadedId(1, 2)).toBe(both);
  });
}
