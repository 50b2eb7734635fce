import { ChatType } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import type { HistoryPage, PrivateRow } from "../../ports/store.ts";
import type { QuotedRow } from "../../ports/stored-message.ts";
import { required, newMessage, newNotice, NOON, type StoreContext } from "./store-fixtures.ts";

/** What happens to messages after they were sent: quotes, edits, recalls, and what one person no longer sees. */
export function messageChangeContract(bench: StoreContext): void {
  const pages = (id: number): HistoryPage[] => [
    { from: "newest", size: 9 },
    { from: "before", id: id + 1, size: 9 },
    { from: "after", id: 0, size: 9 },
    { from: "around", id, size: 9 },
    { from: "time", at: NOON, size: 9 },
    { from: "page", page: 1, size: 9 },
  ];
  const send = async (from: number, to: number, patch: Parameters<typeof newMessage>[2] = {}) =>
    (await bench.store.appendPrivate(newMessage(from, to, patch))).row;
  const quoteOf = ({ id, sendId, content, type }: PrivateRow): QuotedRow => ({
    id,
    sendId,
    content,
    type,
    isRecalled: false,
  });
  const edit = (target: PrivateRow, content: string) =>
    bench.store.write(async (tx) => {
      const quote = { ...quoteOf(target), content };
      const { row } = await tx.appendPrivate(
        newMessage(target.sendId, target.recvId, { type: 7, content, quote }),
      );
      await tx.editPrivate({ id: target.id, eventId: row.id, content, editedAt: row.sendTime });
      return row;
    });
  const recall = (target: PrivateRow) =>
    bench.store.write(async (tx) => {
      const { row } = await tx.appendPrivate(
        newMessage(target.sendId, target.recvId, { type: 10, content: String(target.id) }),
      );
      const tip = { key: "recalled", params: { name: "n" } };
      await tx.recallPrivate({ id: target.id, noticeId: row.id, content: "sentence", tip });
      return row;
    });
  const hide = (userId: number, friendId: number, ids: number[]) =>
    bench.store.write((tx) => tx.hidePrivateMessages(userId, friendId, ids));
  const clear = (userId: number) => bench.store.write((tx) => tx.clearMessages(userId));

  test("a quote is answered as the quoted row stands at each reading", async () => {
    await bench.people(2);
    const first = await send(1, 2, { content: "first" });
    const quoting = await send(2, 1, { tmpId: "q", quote: quoteOf(first) });
    expect(quoting.quote).toEqual(quoteOf(first));
    const readings = async () =>
      [
        await bench.store.findPrivate(quoting.id),
        await bench.store.findVisiblePrivate(1, quoting.id),
        await bench.store.findPrivateByTmpId(2, "q"),
        (await bench.store.listPrivate(1, 0, 99, 99))[1],
        (await bench.store.appendPrivate(newMessage(2, 1, { tmpId: "q" }))).row,
        ...(await Promise.all(
          pages(quoting.id).map(async (page) =>
            (await bench.store.privateHistory(1, 2, page)).find((row) => row.id === quoting.id),
          ),
        )),
      ].map((row) => required(row).quote);
    const expectQuote = async (quote: QuotedRow) => {
      for (const read of await readings()) expect(read).toEqual(quote);
    };
    await expectQuote(quoteOf(first));
    await edit(first, "edited");
    await expectQuote({ ...quoteOf(first), content: "edited" });
    await recall(first);
    await expectQuote({ ...quoteOf(first), type: 21, content: "", isRecalled: true });
  });

  test("whoever sees a row that quotes another is known", async () => {
    await bench.people(3);
    const first = await send(1, 2);
    await edit(first, "edited");
    const sees = async () => [
      await bench.store.seesPrivateQuote(2, 1, first.id),
      await bench.store.seesPrivateQuote(1, 2, first.id),
      await bench.store.seesPrivateQuote(3, 1, first.id),
    ];
    expect(await sees()).toEqual([false, false, false]);
    const quoting = await send(2, 1, { quote: quoteOf(first) });
    expect(await sees()).toEqual([true, true, false]);
    await hide(2, 1, [quoting.id]);
    expect(await sees()).toEqual([false, true, false]);
    await clear(1);
    expect(await sees()).toEqual([false, false, false]);
    const again = await send(2, 1, { quote: quoteOf(first) });
    expect(await sees()).toEqual([true, true, false]);
    await recall(again);
    expect(await sees()).toEqual([false, false, false]);
  });

  test("an edit changes the row and keeps its place", async () => {
    await bench.people(2);
    const first = await send(1, 2, { content: "old" });
    await send(1, 2);
    const event = await edit(first, "new");
    expect(await bench.store.findPrivate(first.id)).toEqual({
      ...first,
      content: "new",
      editedAt: event.sendTime,
    });
    expect((await bench.store.listPrivate(2, 0, 99, 99)).map((row) => row.content)).toEqual([
      "new",
      "text",
      "new",
    ]);
  });

  test("a recall leaves a tip in the row's place and nothing in its edits", async () => {
    await bench.people(2);
    const quoted = await send(2, 1);
    const first = await send(1, 2, { content: "old", tmpId: "t", quote: quoteOf(quoted) });
    const other = await send(1, 2, { content: "other" });
    const events = [await edit(first, "new"), await edit(first, "newer")];
    const otherEvent = await edit(other, "changed");
    const notice = await recall(first);
    expect(await bench.store.findPrivate(first.id)).toEqual({
      ...first,
      type: 21,
      content: "sentence",
      tip: { key: "recalled", params: { name: "n" } },
      quote: null,
      editedAt: null,
      noticeId: notice.id,
    });
    for (const event of events) expect((await bench.store.findPrivate(event.id))?.content).toBe("");
    expect((await bench.store.findPrivate(otherEvent.id))?.content).toBe("changed");
    expect(await bench.store.findPrivateByTmpId(1, "t")).toMatchObject({ id: first.id, noticeId: notice.id });
    const again = await bench.subject.reopen();
    expect(await again.findPrivate(first.id)).toMatchObject({ content: "sentence", noticeId: notice.id });
  });

  test("only the two of a chat see a row, one of them alone when it is for one", async () => {
    await bench.people(3);
    const both = await send(1, 2);
    const only = await send(1, 2, { onlyFor: 2 });
    const sees = async (userId: number, row: PrivateRow) =>
      (await bench.store.findVisiblePrivate(userId, row.id)) !== undefined;
    expect([await sees(1, both), await sees(2, both), await sees(3, both)]).toEqual([true, true, false]);
    expect([await sees(1, only), await sees(2, only), await sees(3, only)]).toEqual([false, true, false]);
    expect(await bench.store.findVisiblePrivate(1, 99)).toBeUndefined();
  });

  test("a hidden row is out of every read of that person alone", async () => {
    await bench.people(2);
    const [one, two] = [await send(1, 2), await send(2, 1)];
    expect(await hide(1, 2, [two.id])).toBe(true);
    for (const page of pages(two.id)) {
      const ids = async (userId: number, friendId: number) =>
        (await bench.store.privateHistory(userId, friendId, page)).map((row) => row.id);
      expect(await ids(1, 2), page.from).toEqual([one.id]);
      expect(
        (await ids(2, 1)).toSorted((x, y) => x - y),
        page.from,
      ).toEqual([one.id, two.id]);
    }
    expect((await bench.store.listPrivate(1, 0, 99, 99)).map((row) => row.id)).toEqual([one.id]);
    expect(await bench.store.newestPrivateId(1, 2)).toBe(one.id);
    expect(await bench.store.newestPrivateId(2, 1)).toBe(two.id);
    expect(await bench.store.findVisiblePrivate(1, two.id)).toBeUndefined();
    expect(await bench.store.findVisiblePrivate(2, two.id)).toBeDefined();
    const window = { minId: 0, overlapMs: 0, notBefore: 0, firstMax: 99 };
    await hide(1, 2, [one.id]);
    expect(await bench.store.startPrivatePull(1, window)).toEqual({ fromId: 3, upTo: 2, isTruncated: false });
  });

  test("what is not of the chat, not seen, or hidden before is not hidden", async () => {
    await bench.people(3);
    const [mine, elsewhere] = [await send(1, 2), await send(1, 3)];
    const forTwo = await send(1, 2, { onlyFor: 2 });
    expect(await hide(1, 2, [elsewhere.id, forTwo.id, 99])).toBe(false);
    expect(await hide(3, 2, [mine.id])).toBe(false);
    expect(await hide(1, 2, [mine.id, elsewhere.id])).toBe(true);
    expect(await hide(1, 2, [mine.id, mine.id])).toBe(false);
    expect((await bench.store.listPrivate(1, 0, 99, 99)).map((row) => row.id)).toEqual([elsewhere.id]);
  });

  test("changes name what was hidden after a number, by chat", async () => {
    await bench.people(3);
    const rows = [await send(1, 2), await send(1, 3), await send(2, 1)] as const;
    await hide(1, 2, [rows[2].id, rows[0].id]);
    const first = await bench.store.listChanges(1, 0);
    expect(first.hidden).toEqual([{ type: ChatType.PRIVATE, targetId: 2, ids: [rows[0].id, rows[2].id] }]);
    await hide(1, 3, [rows[1].id]);
    const second = await bench.store.listChanges(1, first.next);
    expect(second.hidden).toEqual([{ type: ChatType.PRIVATE, targetId: 3, ids: [rows[1].id] }]);
    expect((await bench.store.listChanges(1, second.next)).hidden).toEqual([]);
    expect((await bench.store.listChanges(2, 0)).hidden).toEqual([]);
  });

  test("nothing up to a cleared mark is seen again by that person", async () => {
    await bench.people(2);
    const old = await send(1, 2);
    const gone = await bench.store.write((tx) => tx.appendSystem(newNotice(1, { requestId: 5 })));
    await clear(1);
    const fresh = await send(2, 1);
    const notice = await bench.store.write((tx) => tx.appendSystem(newNotice(1)));
    for (const page of pages(fresh.id)) {
      const rows = await bench.store.privateHistory(1, 2, page);
      expect(
        rows.map((row) => row.id),
        page.from,
      ).toEqual([fresh.id]);
      expect(await bench.store.privateHistory(2, 1, page), page.from).toHaveLength(2);
    }
    expect((await bench.store.listPrivate(1, 0, 99, 99)).map((row) => row.id)).toEqual([fresh.id]);
    expect(await bench.store.findVisiblePrivate(1, old.id)).toBeUndefined();
    expect((await bench.store.listSystem(1, 0, 9)).map((row) => row.id)).toEqual([notice.id]);
    expect(await bench.store.findSystem(gone.id)).toBeUndefined();
    expect(await bench.store.findSystemByRequest(5)).toBeUndefined();
    expect(await bench.store.findSystem(notice.id)).toEqual(notice);
    const window = { minId: 0, overlapMs: 60_000, notBefore: 0, firstMax: 99 };
    const start = { fromId: fresh.id, upTo: fresh.id, isTruncated: false };
    expect(await bench.store.startPrivatePull(1, window)).toEqual(start);
    expect(await bench.store.startPrivatePull(1, { ...window, minId: old.id })).toEqual(start);
    await bench.store.write((tx) => tx.raisePrivateRead(2, 1, fresh.id));
    expect(await bench.store.maxReadedId(1, 2)).toBe(-1);
    await clear(1);
    expect(await bench.store.newestPrivateId(1, 2)).toBe(0);
  });

  test("changes name the cleared marks, and no longer what lies below them", async () => {
    await bench.people(2);
    const row = await send(1, 2);
    const notice = await bench.store.write((tx) => tx.appendSystem(newNotice(1)));
    await hide(1, 2, [row.id]);
    await bench.store.write((tx) => tx.updateSystem(notice.id, "handled"));
    const { next, cleared } = await bench.store.listChanges(1, 0);
    expect(cleared).toEqual([]);
    await clear(1);
    expect(await bench.store.listChanges(1, next)).toMatchObject({
      cleared: [
        { type: ChatType.PRIVATE, upTo: row.id },
        { type: ChatType.GROUP, upTo: 0 },
        { type: ChatType.SYSTEM, upTo: notice.seqNo },
      ],
    });
    expect(await bench.store.listChanges(1, 0)).toMatchObject({ hidden: [], system: [] });
    expect((await bench.store.listChanges(2, 0)).cleared).toEqual([]);
  });

  test("an undone recall leaves the words", async () => {
    await bench.people(2);
    const first = await send(1, 2, { content: "old" });
    await bench.store
      .write(async (tx) => {
        await tx.recallPrivate({ id: first.id, noticeId: 9, content: "", tip: { key: "k", params: {} } });
        throw new Error("no");
      })
      .catch(() => undefined);
    expect(await bench.store.findPrivate(first.id)).toEqual(first);
  });
}
