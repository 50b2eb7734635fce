import { ChatType, MessageType } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import type { NamingMessage } from "../../ports/file-store.ts";
import {
  NOON,
  addFile,
  newMessage,
  required,
  stored,
  type StoreContext,
  newGroup,
} from "./store-fixtures.ts";

/** The rules for files that messages name. */
export function messageFileContract(context: StoreContext): void {
  const urlOf = (name: string) => `/files/a/${name}`;
  const put = (...names: string[]) =>
    context.store.write(async (tx) => {
      for (const name of names) await addFile(tx, { url: urlOf(name), userId: 1, bytes: 1, createdAt: NOON });
    });
  const name = (message: NamingMessage, ...names: string[]) =>
    context.store.write((tx) => tx.nameFiles(message, names.map(urlOf)));
  const marked = async () =>
    (await context.store.write((tx) => tx.markFilesForDeletion(NOON, 10))).toSorted();
  const appendTo = async (recvId: number) => {
    const { row } = await context.store.appendPrivate(newMessage(1, recvId, { type: MessageType.IMAGE }));
    return { chatType: ChatType.PRIVATE, id: row.id, sendId: 1 } as const;
  };
  const recall = ({ id }: NamingMessage) =>
    context.store.write((tx) =>
      tx.recallMessage({ id, noticeId: id, content: "", tip: { key: "recalled", params: {} } }),
    );

  test("a file is kept as long as a message names it, and marked for deletion with the last one", async () => {
    await context.people(2);
    await put("one", "two");
    const [first, second] = [await appendTo(2), await appendTo(2)];
    expect(await name(first, "one", "two")).toBe(true);
    expect(await name(second, "one")).toBe(true);
    const late = await context.store.write((tx) => tx.markFilesForDeletion(NOON + 1, 10));
    expect(late).toEqual([]);
    await recall(first);
    expect(await context.store.listMarkedFiles(10)).toEqual([urlOf("two")]);
    expect(await marked()).toEqual([urlOf("two")]);
    expect(await context.store.findFile(urlOf("one"))).toMatchObject({ isKeptForEver: false });
    await recall(second);
    expect(await marked()).toEqual([urlOf("one"), urlOf("two")]);
    expect(await context.store.findFile(urlOf("one"))).toBeUndefined();
    expect(await name(await appendTo(2), "one")).toBe(false);
    // Nothing names the rows now, so they can be deleted.
    await context.store.write((tx) => tx.deleteFileRows([urlOf("one"), urlOf("two")]));
    expect(await context.store.listMarkedFiles(10)).toEqual([]);
    expect(await context.store.countFiles()).toEqual({ count: 0, bytes: 0 });
  });

  test("a file that is unknown, marked for deletion or still uploading cannot be named", async () => {
    await context.people(2);
    const message = await appendTo(2);
    await put("old");
    await context.store.write((tx) => tx.markFilesForDeletion(NOON + 1, 10));
    await context.store.write((tx) =>
      tx.reserveFile({ url: urlOf("uploading"), userId: 1, createdAt: NOON }, { least: 1, most: 1 }, null),
    );
    for (const unusable of ["unknown", "old", "uploading"]) expect(await name(message, unusable)).toBe(false);
    await context.store.write((tx) =>
      tx.completeFiles([{ url: urlOf("uploading"), bytes: 1, sha256: "0".repeat(64) }]),
    );
    expect(await name(message, "uploading")).toBe(true);
  });

  test("a file that an account uses is kept, whichever came first, its use or its message", async () => {
    await context.people(2);
    await put("used before", "used after");
    const message = await appendTo(2);
    await context.store.write((tx) => tx.claimFile(urlOf("used before")));
    expect(await name(message, "used before", "used after")).toBe(true);
    await context.store.write((tx) => tx.claimFile(urlOf("used after")));
    await recall(message);
    expect(await marked()).toEqual([]);
  });

  test("messages that neither person sees any more are listed in parts, and their files can be released", async () => {
    await context.people(3);
    await put("shared", "own");
    const messages: NamingMessage[] = [];
    for (let n = 0; n < 1_100; n++) {
      const message = await appendTo(2);
      await context.store.write((tx) => tx.nameFiles(message, [urlOf("shared")]));
      messages.push(message);
    }
    const [first, second, last] = [required(messages[0]), required(messages[1]), required(messages.at(-1))];
    const toMyself = await appendTo(1);
    await name(toMyself, "own");
    const unseen = async () => {
      const ids: number[] = [];
      let parts = 0;
      for (let after: number | null = 0; after !== null; parts++) {
        const part: { ids: number[]; next: number | null } =
          await context.store.listUnseenFileMessages(after);
        ids.push(...part.ids);
        after = part.next;
      }
      return { ids, parts };
    };
    const hide = (userId: number, friendId: number, ...hidden: NamingMessage[]) =>
      context.store.write((tx) =>
        tx.hideMessages(
          "PRIVATE",
          userId,
          friendId,
          hidden.map(({ id }) => id),
        ),
      );
    expect(await unseen()).toEqual({ ids: [], parts: 3 });
    await hide(1, 2, first, last);
    await hide(2, 1, second, last);
    expect((await unseen()).ids).toEqual([last.id]);
    await hide(1, 1, toMyself);
    expect((await unseen()).ids).toEqual([last.id, toMyself.id]);

    // A quote shows what it quotes, as long as one of them sees the quote.
    const { row: quote } = await context.store.appendPrivate(
      newMessage(2, 1, {
        quote: { ...required(await context.store.findMessage("PRIVATE", last.id)), isRecalled: false },
      }),
    );
    expect((await unseen()).ids).toEqual([toMyself.id]);
    await hide(1, 2, { ...last, id: quote.id });
    expect((await unseen()).ids).toEqual([toMyself.id]);
    await context.store.write((tx) => tx.clearMessages(2));
    expect((await unseen()).ids).toEqual([first.id, last.id, toMyself.id]);

    await context.store.write((tx) => tx.releaseFiles([first.id, last.id, toMyself.id]));
    expect((await unseen()).ids).toEqual([]);
    expect(await marked()).toEqual([urlOf("own")]);
    await context.store.write((tx) => tx.clearMessages(1));
    const { ids } = await unseen();
    expect(ids).toHaveLength(1_098);
    await context.store.write((tx) => tx.releaseFiles(ids));
    expect(await marked()).toEqual([urlOf("own"), urlOf("shared")]);
  });

  test("a recall in a private chat and one in a group each release their own files", async () => {
    await context.people(2);
    await put("private", "group");
    const inPrivate = await appendTo(2);
    const groupId = await context.store.write(async (tx) => {
      const group = await tx.insertGroup(newGroup(1));
      await tx.upsertGroupMember(group.id, 1, 3, NOON);
      await tx.upsertGroupMember(group.id, 2, 1, NOON);
      return group.id;
    });
    const send = (sendId: number) =>
      context.store.appendGroup({
        tmpId: null,
        type: MessageType.IMAGE,
        groupId,
        sendId,
        sendRole: 1,
        sendNickName: "n",
        content: "{}",
        sendTime: NOON,
      });
    const inGroup = stored(await send(1)).row;
    const group = { chatType: ChatType.GROUP, sendId: 1 } as const;
    expect(await name(inPrivate, "private")).toBe(true);
    expect(await name({ ...group, id: inGroup.id }, "group")).toBe(true);
    await recall(inPrivate);
    expect(await marked()).toEqual([urlOf("private")]);
    await context.store.write((tx) =>
      tx.recallMessage({
        id: inGroup.id,
        noticeId: inGroup.id,
        content: "",
        tip: { key: "recalled", params: {} },
      }),
    );
    expect(await marked()).toEqual([urlOf("group"), urlOf("private")]);
  });

  const report = async (reporterId: number, { id }: NamingMessage, content: object): Promise<number> => {
    await context.store.write((tx) =>
      tx.insertReport({
        reporterId,
        personId: 1,
        message: {
          chatType: "PRIVATE",
          messageId: id,
          groupId: null,
          messageType: MessageType.IMAGE,
          content: JSON.stringify(content),
          sendTime: NOON,
        },
        reason: "spam",
        text: "",
        createdAt: NOON,
      }),
    );
    const { rows } = await context.store.listReports(true, { offset: 0, limit: 1 });
    return required(rows[0]).id;
  };
  const close = (id: number | undefined) =>
    context.store.write((tx) =>
      tx.closeReport(required(id), { closedAt: NOON, closedById: null, outcome: "acted", note: "" }),
    );

  test("an open report keeps the files of its message; closing the last one marks those for deletion that nothing else keeps", async () => {
    await context.people(3);
    await put("evidence", "named elsewhere", "used");
    await context.store.write((tx) => tx.claimFile(urlOf("used")));
    const [first, second] = [await appendTo(2), await appendTo(2)];
    await name(first, "evidence", "named elsewhere", "used");
    await name(second, "named elsewhere");
    const content = { originUrl: urlOf("evidence"), thumbUrl: urlOf("named elsewhere") };
    const reportIds = [await report(2, first, content), await report(3, first, content)];
    await recall(first);
    expect(await marked()).toEqual([]);
    await close(reportIds[0]);
    expect(await marked()).toEqual([]);
    await close(reportIds[1]);
    expect(await marked()).toEqual([urlOf("evidence")]);
    await recall(second);
    expect(await marked()).toEqual([urlOf("evidence"), urlOf("named elsewhere")]);
    // Nothing names the rows now, so they can be deleted.
    await context.store.write((tx) => tx.deleteFileRows([urlOf("evidence"), urlOf("named elsewhere")]));
    expect(await context.store.findFile(urlOf("used"))).toMatchObject({ isKeptForEver: true });
  });

  test("a report is kept although a file of its message is gone, and keeps the others", async () => {
    await context.people(2);
    await put("left");
    const message = await appendTo(2);
    await name(message, "left");
    await report(2, message, { originUrl: urlOf("gone"), thumbUrl: urlOf("left") });
    await recall(message);
    expect(await marked()).toEqual([]);
    expect((await context.store.listReports(true, { offset: 0, limit: 1 })).total).toBe(1);
  });

  test("removing the messages of a member releases the files of this member in this group", async () => {
    await context.people(2);
    await put("gone", "elsewhere", "of another", "private", "later");
    const [here, there] = await context.store.write(async (tx) => {
      const groups: number[] = [];
      for (const groupName of ["here", "there"]) {
        const group = await tx.insertGroup(newGroup(1, { name: groupName }));
        for (const userId of [1, 2]) await tx.upsertGroupMember(group.id, userId, 1, NOON);
        groups.push(group.id);
      }
      return groups;
    });
    const send = async (groupId: number | undefined, sendId: number, file: string) => {
      const { row } = stored(
        await context.store.appendGroup({
          tmpId: null,
          type: MessageType.IMAGE,
          groupId: required(groupId),
          sendId,
          sendRole: 1,
          sendNickName: "n",
          content: "{}",
          sendTime: NOON,
        }),
      );
      expect(await name({ chatType: ChatType.GROUP, id: row.id, sendId }, file)).toBe(true);
    };
    await send(here, 2, "gone");
    await send(there, 2, "elsewhere");
    await send(here, 1, "of another");
    const { row } = await context.store.appendPrivate(newMessage(2, 1, { type: MessageType.IMAGE }));
    expect(await name({ chatType: ChatType.PRIVATE, id: row.id, sendId: 2 }, "private")).toBe(true);
    await context.store.write((tx) => tx.removeMessagesOfMember(required(here), 2));
    expect(await marked()).toEqual([urlOf("gone")]);
    await send(here, 2, "later");
    expect(await marked()).toEqual([urlOf("gone")]);
  });
}
