import { ChatType } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import type { PrivateRow } from "../../ports/private-message-store.ts";
import type { HistoryPage, QuotedRow } from "../../ports/stored-message.ts";
import { required, newMessage, newNotice, NOON, type StoreContext } from "./store-fixtures.ts";

/** The rules for quotes, edits, recalls, and messages that one person hid or cleared. */
export function messageChangeContract(context: StoreContext): void {
  const pages = (id: number): HistoryPage[] => [
    { from: "newest", size: 9 },
    { from: "before", id: id + 1, size: 9 },
    { from: "after", id: 0, size: 9 },
    { from: "around", id, size: 9 },
    { from: "time", at: NOON, size: 9 },
    { from: "page", page: 1, size: 9 },
  ];
  const send = async (from: number, to: number, patch: Parameters<typeof newMessage>[2] = {}) =>
    (await context.store.appendPrivate(newMessage(from, to, patch))).row;
  const quoteOf = ({ id, sendId, content, type }: PrivateRow): QuotedRow => ({
    id,
    sendId,
    content,
    type,
    isRecalled: false,
  });
  const edit = (target: PrivateRow, content: string) =>
    context.store.write(async (tx) => {
      const quote = { ...quoteOf(target), content };
      const { row } = await tx.appendPrivate(
        newMessage(target.sendId, target.recvId, { type: 7, content, quote }),
      );
      await tx.editMessage({ id: target.id, eventId: row.id, content, editedAt: row.sendTime });
      return row;
    });
  const recall = (target: PrivateRow) =>
    context.store.write(async (tx) => {
      const { row } = await tx.appendPrivate(
        newMessage(target.sendId, target.recvId, { type: 10, content: String(target.id) }),
      );
      const tip = { key: "recalled", params: { name: "n" } };
      await tx.recallMessage({ id: target.id, noticeId: row.id, content: "sentence", tip });
      return row;
    });
  const hide = (userId: number, friendId: number, ids: number[]) =>
    context.store.write((tx) => tx.hideMessages("PRIVATE", userId, friendId, ids));
  const clear = (userId: number) => context.store.write((tx) => tx.clearMessages(userId));

  test("a quote always has the current content of the quoted message", async () => {
    await context.people(2);
    const first = await send(1, 2, { content: "first" });
    const quoting = await send(2, 1, { tmpId: "q", quote: quoteOf(first) });
    expect(quoting.quote).toEqual(quoteOf(first));
    const readings = async () =>
      [
        await context.store.findMessage("PRIVATE", quoting.id),
        await context.store.findVisibleMessage("PRIVATE", 1, quoting.id),
        await context.store.findMessageByTmpId("PRIVATE", 2, "q"),
        (await context.store.listPrivate(1, 0, 99, 99))[1],
        (await context.store.appendPrivate(newMessage(2, 1, { tmpId: "q" }))).row,
        ...(await Promise.all(
          pages(quoting.id).map(async (page) =>
            (await context.store.listHistory("PRIVATE", 1, 2, page)).find((row) => row.id === quoting.id),
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

  test("seesPrivateQuote says whether a person sees a message that quotes another", async () => {
    await context.people(3);
    const first = await send(1, 2);
    await edit(first, "edited");
    const sees = async () => [
      await context.store.seesPrivateQuote(2, 1, first.id),
      await context.store.seesPrivateQuote(1, 2, first.id),
      await context.store.seesPrivateQuote(3, 1, first.id),
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

  test("an edit changes the row and keeps its position", async () => {
    await context.people(2);
    const first = await send(1, 2, { content: "old" });
    await send(1, 2);
    const event = await edit(first, "new");
    expect(await context.store.findMessage("PRIVATE", first.id)).toEqual({
      ...first,
      content: "new",
      editedAt: event.sendTime,
    });
    expect((await context.store.listPrivate(2, 0, 99, 99)).map((row) => row.content)).toEqual([
      "new",
      "text",
      "new",
    ]);
  });

  test("a recall replaces the message by a tip and empties its edits", async () => {
    await context.people(2);
    const quoted = await send(2, 1);
    const first = await send(1, 2, { content: "old", tmpId: "t", quote: quoteOf(quoted) });
    const other = await send(1, 2, { content: "other" });
    const events = [await edit(first, "new"), await edit(first, "newer")];
    const otherEvent = await edit(other, "changed");
    const notice = await recall(first);
    expect(await context.store.findMessage("PRIVATE", first.id)).toEqual({
      ...first,
      type: 21,
      content: "sentence",
      tip: { key: "recalled", params: { name: "n" } },
      quote: null,
      editedAt: null,
      noticeId: notice.id,
    });
    for (const event of events)
      expect((await context.store.findMessage("PRIVATE", event.id))?.content).toBe("");
    expect((await context.store.findMessage("PRIVATE", otherEvent.id))?.content).toBe("changed");
    expect(await context.store.findMessageByTmpId("PRIVATE", 1, "t")).toMatchObject({
      id: first.id,
      noticeId: notice.id,
    });
    const again = await context.subject.reopen();
    expect(await again.findMessage("PRIVATE", first.id)).toMatchObject({
      content: "sentence",
      noticeId: notice.id,
    });
  });

  test("only the two people of a chat see a message, and only one of them if it is for that one", async () => {
    await context.people(3);
    const both = await send(1, 2);
    const only = await send(1, 2, { onlyFor: 2 });
    const sees = async (userId: number, row: PrivateRow) =>
      (await context.store.findVisibleMessage("PRIVATE", userId, row.id)) !== undefined;
    expect([await sees(1, both), await sees(2, both), await sees(3, both)]).toEqual([true, true, false]);
    expect([await sees(1, only), await sees(2, only), await sees(3, only)]).toEqual([false, true, false]);
    expect(await context.store.findVisibleMessage("PRIVATE", 1, 99)).toBeUndefined();
  });

  test("a hidden message is missing in every read of that person, and of nobody else", async () => {
    await context.people(2);
    const [one, two] = [await send(1, 2), await send(2, 1)];
    expect(await hide(1, 2, [two.id])).toBe(true);
    for (const page of pages(two.id)) {
      const ids = async (userId: number, friendId: number) =>
        (await context.store.listHistory("PRIVATE", userId, friendId, page)).map((row) => row.id);
      expect(await ids(1, 2), page.from).toEqual([one.id]);
      expect(
        (await ids(2, 1)).toSorted((x, y) => x - y),
        page.from,
      ).toEqual([one.id, two.id]);
    }
    expect((await context.store.listPrivate(1, 0, 99, 99)).map((row) => row.id)).toEqual([one.id]);
    expect(await context.store.newestVisibleId("PRIVATE", 1, 2)).toBe(one.id);
    expect(await context.store.newestVisibleId("PRIVATE", 2, 1)).toBe(two.id);
    expect(await context.store.findVisibleMessage("PRIVATE", 1, two.id)).toBeUndefined();
    expect(await context.store.findVisibleMessage("PRIVATE", 2, two.id)).toBeDefined();
    const window = { minId: 0, overlapMs: 0, notBefore: 0, firstMax: 99 };
    await hide(1, 2, [one.id]);
    expect(await context.store.startPrivatePull(1, window)).toEqual({
      fromId: 3,
      upTo: 2,
      isTruncated: false,
    });
  });

  test("hiding ignores messages of other chats, invisible ones and already hidden ones", async () => {
    await context.people(3);
    const [mine, elsewhere] = [await send(1, 2), await send(1, 3)];
    const forTwo = await send(1, 2, { onlyFor: 2 });
    expect(await hide(1, 2, [elsewhere.id, forTwo.id, 99])).toBe(false);
    expect(await hide(3, 2, [mine.id])).toBe(false);
    expect(await hide(1, 2, [mine.id, elsewhere.id])).toBe(true);
    expect(await hide(1, 2, [mine.id, mine.id])).toBe(false);
    expect((await context.store.listPrivate(1, 0, 99, 99)).map((row) => row.id)).toEqual([elsewhere.id]);
  });

  test("the change feed lists the messages hidden after a number, by chat", async () => {
    await context.people(3);
    const rows = [await send(1, 2), await send(1, 3), await send(2, 1)] as const;
    await hide(1, 2, [rows[2].id, rows[0].id]);
    const first = await context.store.listChanges(1, 0);
    expect(first.hidden).toEqual([{ type: ChatType.PRIVATE, targetId: 2, ids: [rows[0].id, rows[2].id] }]);
    await hide(1, 3, [rows[1].id]);
    const second = await context.store.listChanges(1, first.next);
    expect(second.hidden).toEqual([{ type: ChatType.PRIVATE, targetId: 3, ids: [rows[1].id] }]);
    expect((await context.store.listChanges(1, second.next)).hidden).toEqual([]);
    expect((await context.store.listChanges(2, 0)).hidden).toEqual([]);
  });

  test("a person does not see anything up to their cleared mark again", async () => {
    await context.people(2);
    const old = await send(1, 2);
    const clearedNotice = await context.store.write((tx) => tx.appendSystem(newNotice(1, { requestId: 5 })));
    await clear(1);
    const newer = await send(2, 1);
    const notice = await context.store.write((tx) => tx.appendSystem(newNotice(1)));
    for (const page of pages(newer.id)) {
      const rows = await context.store.listHistory("PRIVATE", 1, 2, page);
      expect(
        rows.map((row) => row.id),
        page.from,
      ).toEqual([newer.id]);
      expect(await context.store.listHistory("PRIVATE", 2, 1, page), page.from).toHaveLength(2);
    }
    expect((await context.store.listPrivate(1, 0, 99, 99)).map((row) => row.id)).toEqual([newer.id]);
    expect(await context.store.findVisibleMessage("PRIVATE", 1, old.id)).toBeUndefined();
    expect((await context.store.listSystem(1, 0, 9)).map((row) => row.id)).toEqual([notice.id]);
    expect(await context.store.findSystem(clearedNotice.id)).toBeUndefined();
    expect(await context.store.findSystemByRequest(5)).toBeUndefined();
    expect(await context.store.findSystem(notice.id)).toEqual(notice);
    const window = { minId: 0, overlapMs: 60_000, notBefore: 0, firstMax: 99 };
    const start = { fromId: newer.id, upTo: newer.id, isTruncated: false };
    expect(await context.store.startPrivatePull(1, window)).toEqual(start);
    expect(await context.store.startPrivatePull(1, { ...window, minId: old.id })).toEqual(start);
    await context.store.write((tx) => tx.raisePrivateRead(2, 1, newer.id));
    expect(await context.store.maxReadedId(1, 2)).toBe(-1);
    await clear(1);
    expect(await context.store.newestVisibleId("PRIVATE", 1, 2)).toBe(0);
  });

  test("the change feed lists the cleared marks and leaves out changes below them", async () => {
    await context.people(2);
    const row = await send(1, 2);
    const notice = await context.store.write((tx) => tx.appendSystem(newNotice(1)));
    await hide(1, 2, [row.id]);
    await context.store.write((tx) => tx.updateSystem(notice.id, "handled"));
    const { next, cleared } = await context.store.listChanges(1, 0);
    expect(cleared).toEqual([]);
    await clear(1);
    expect(await context.store.listChanges(1, next)).toMatchObject({
      cleared: [
        { type: ChatType.PRIVATE, upTo: row.id },
        { type: ChatType.GROUP, upTo: row.id },
        { type: ChatType.SYSTEM, upTo: notice.seqNo },
      ],
    });
    expect(await context.store.listChanges(1, 0)).toMatchObject({ hidden: [], system: [] });
    expect((await context.store.listChanges(2, 0)).cleared).toEqual([]);
  });

  test("a rolled-back recall does not change the message", async () => {
    await context.people(2);
    const first = await send(1, 2, { content: "old" });
    await context.store
      .write(async (tx) => {
        await tx.recallMessage({ id: first.id, noticeId: 9, content: "", tip: { key: "k", params: {} } });
        throw new Error("no");
      })
      .catch(() => undefined);
    expect(await context.store.findMessage("PRIVATE", first.id)).toEqual(first);
  });
}
