import { expect, test } from "vitest";
import type { PrivateRow } from "../../ports/private-message-store.ts";
import type { MessageSearch } from "../../ports/stored-message.ts";
import { newMessage, NOON, type StoreContext } from "./store-fixtures.ts";

/** The rules for searching messages. */
export function searchContract(context: StoreContext): void {
  const send = async (
    from: number,
    to: number,
    content: string,
    patch: Parameters<typeof newMessage>[2] = {},
  ) => (await context.store.appendPrivate(newMessage(from, to, { content, ...patch }))).row;
  const find = (userId: number, text: string, patch: Partial<MessageSearch> = {}) =>
    context.store.searchMessages("PRIVATE", userId, { text, size: 50, totalMax: 1_000, ...patch });
  const ids = async (userId: number, text: string, patch: Partial<MessageSearch> = {}) =>
    (await find(userId, text, patch)).rows.map((row) => row.id);

  test("a search finds messages that were just stored, newest first, with the total", async () => {
    await context.people(2);
    const rows: PrivateRow[] = [];
    for (const text of ["我家在上海东边", "去上海", "Meet me at Noon", "海上"])
      rows.push(await send(1, 2, text));
    const found = await find(1, "上海");
    expect(found).toEqual({ rows: [rows[1], rows[0]], total: 2, next: null, scannedRows: 2 });
    expect(await ids(2, "noo")).toEqual([3]);
    expect(await ids(2, "oon")).toEqual([]);
    expect(await ids(1, "海")).toEqual([4, 2, 1]);
    expect(await ids(1, "上海 东")).toEqual([1]);
    expect(await find(1, "，")).toEqual({ rows: [], total: 0, next: null, scannedRows: 0 });
  });

  test("a search finds words inside texts without blanks, parts of names, and signs", async () => {
    await context.people(2);
    const texts = [
      "昨日のミーティングの資料です",
      "회의자료를보내주세요",
      "สวัสดีครับ",
      "order_id_88421 shipped",
      "v2.3.10 released",
      "100% C++ -> 😀 ❤️",
      "off_sale",
      "a1".repeat(2_000) + "𠮷".repeat(2_000) + "b".repeat(3_000),
    ];
    for (const text of texts) await send(1, 2, text);
    const table: [string, number[]][] = [
      ["ミーティング", [1]],
      ["ﾐｰﾃｨﾝｸﾞ", [1]],
      ["자료", [2]],
      ["ครับ", [3]],
      ["88421", [4]],
      ["id_884", [4]],
      ["2.3.10", [5]],
      ["10", [6, 5]],
      ["%", [6]],
      ["C++", [6]],
      ["->", [6]],
      ["😀", [6]],
      ["❤", [6]],
      ["_", [7, 4]],
      ["le", []],
      ["ングミ", []],
      ["1a1", [8]],
      ["𠮷𠮷", [8]],
      ["bbb", [8]],
      ["\u200b", []],
    ];
    for (const [text, expected] of table) expect(await ids(1, text), text).toEqual(expected);
    // All terms of a removed message leave the index.
    const tip = { key: "recalled" as const, params: { name: "Ana" } };
    for (const id of [1, 6, 8]) {
      await context.store.write((tx) => tx.recallMessage({ id, noticeId: 9, content: "", tip }));
    }
    for (const text of ["ミーティング", "%", "😀", "1a1"]) expect(await ids(1, text), text).toEqual([]);
  });

  test("a search finds only messages that this person may see", async () => {
    await context.people(3);
    const mine = await send(1, 2, "word for both");
    await send(2, 3, "word elsewhere");
    const only = await send(1, 2, "word for one", { onlyFor: 2 });
    const hidden = await send(1, 2, "word hidden");
    await context.store.write((tx) => tx.hideMessages("PRIVATE", 1, 2, [hidden.id]));
    expect(await ids(1, "word")).toEqual([mine.id]);
    expect(await ids(2, "both")).toEqual([mine.id]);
    expect((await ids(2, "word")).toSorted((x, y) => x - y)).toEqual(
      [mine.id, 2, only.id, hidden.id].toSorted((x, y) => x - y),
    );
    await context.store.write((tx) => tx.clearMessages(2));
    expect(await ids(2, "word")).toEqual([]);
    expect(await ids(1, "word")).toEqual([mine.id]);
    expect(await ids(2, "@u1")).toEqual([]);
  });

  test("a search filters by chat, sender, kind and time, both ends included", async () => {
    await context.people(3);
    const at = (minute: number) => ({ sendTime: NOON + minute * 60_000 });
    await send(1, 2, "w", at(1));
    await send(2, 1, "w", at(2));
    await send(3, 1, "w", at(3));
    const location = JSON.stringify({ latitude: 1, longitude: 1, name: "w", address: "latitude" });
    await send(1, 2, location, { ...at(4), type: 88 });
    await send(1, 1, "w", at(5));
    const table: [Partial<MessageSearch>, number[]][] = [
      [{}, [5, 4, 3, 2, 1]],
      [{ targetId: 2 }, [4, 2, 1]],
      [{ targetId: 1 }, [5]],
      [{ targetId: 9 }, []],
      [{ sendId: 1 }, [5, 4, 1]],
      [{ targetId: 2, sendId: 2 }, [2]],
      [{ types: [88] }, [4]],
      [{ types: [0, 88], targetId: 2 }, [4, 2, 1]],
      [{ types: [] }, []],
      [{ from: NOON + 2 * 60_000, to: NOON + 4 * 60_000 }, [4, 3, 2]],
      [{ from: NOON + 5 * 60_000 + 1 }, []],
      [{ to: NOON }, []],
    ];
    for (const [patch, expected] of table)
      expect(await ids(1, "w", patch), JSON.stringify(patch)).toEqual(expected);
    expect(await ids(1, "latitude")).toEqual([4]);
    expect(await ids(1, "longitude")).toEqual([]);
  });

  test("each page continues after the last one and has the total of all pages", async () => {
    await context.people(2);
    for (let n = 1; n <= 7; n++) await send(1, 2, `word ${n}`);
    const first = await find(1, "word", { size: 3 });
    expect([first.rows.map((row) => row.id), first.total, first.next]).toEqual([[7, 6, 5], 7, 5]);
    const second = await find(1, "word", { size: 3, below: 5 });
    expect([second.rows.map((row) => row.id), second.total, second.next]).toEqual([[4, 3, 2], 7, 2]);
    const third = await find(1, "word", { size: 3, below: 2 });
    expect([third.rows.map((row) => row.id), third.total, third.next]).toEqual([[1], 7, null]);
    expect(await find(1, "word", { size: 2, totalMax: 4 })).toMatchObject({ total: 4, next: 6 });
  });

  test("an edit or recall changes the search results, whether the message was indexed before or not", async () => {
    await context.people(2);
    const change = async (row: PrivateRow, kind: "edit" | "recall") =>
      context.store.write(async (tx) => {
        const type = kind === "edit" ? 7 : 10;
        const event = (await tx.appendPrivate(newMessage(1, 2, { type, content: "new" }))).row;
        if (kind === "edit") {
          await tx.editMessage({ id: row.id, eventId: event.id, content: "new", editedAt: NOON });
        } else {
          const tip = { key: "recalled", params: { name: "old" } };
          await tx.recallMessage({ id: row.id, noticeId: event.id, content: "old news", tip });
        }
      });
    const [one, two] = [await send(1, 2, "old"), await send(1, 2, "old")];
    expect(await ids(1, "old")).toEqual([two.id, one.id]);
    await change(one, "edit");
    await change(two, "recall");
    expect(await ids(1, "old")).toEqual([]);
    expect(await ids(1, "new")).toEqual([one.id]);
    await change(one, "recall");
    const three = await send(1, 2, "old");
    await change(three, "edit");
    expect([await ids(1, "old"), await ids(1, "new")]).toEqual([[], [three.id]]);
  });

  test("a search works after reopening, also for messages not indexed before", async () => {
    await context.people(2);
    const before = [await send(1, 2, "word"), await send(1, 2, "word")] as const;
    expect(await ids(1, "word")).toHaveLength(2);
    await send(1, 2, "word not looked for yet");
    await context.subject.reopen();
    await send(1, 2, "another word");
    expect(await ids(1, "word")).toEqual([4, 3, before[1].id, before[0].id]);
  });

  test("concurrent searches and writes give right results", async () => {
    await context.people(2);
    const all = Array.from({ length: 30 }, async (_, n) => {
      const row = await send(1, 2, `word${n}`);
      // A search waits for the index for at most a second, which a busy machine may need for 30 messages.
      await expect.poll(() => ids(2, `word${n}`), { interval: 0 }).toContain(row.id);
    });
    await Promise.all(all);
  });
}
