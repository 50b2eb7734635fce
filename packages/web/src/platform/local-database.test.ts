import "fake-indexeddb/auto";
import { describe, expect, test } from "vitest";
import type { Database, DatabaseWrite, ChatRecord } from "@parley/core/ports";
import { deleteIndexedDb, requestResult } from "./indexed-db.ts";
import { openLocalDatabase } from "./local-database.ts";

type Message = NonNullable<DatabaseWrite["messages"]>[number]["message"];

let count = 0;
const open = () => openLocalDatabase(`test ${++count}`);
const message = (id: number | null) => ({ key: `k${id}`, id, content: `text ${id}` }) as Message;
const chat = (key: ChatRecord["key"], rest: object = {}): ChatRecord => ({ key, ...rest });
const idsOf = async (database: Database, before: number, limit: number) =>
  (await database.messagesBefore("PRIVATE:1", before, limit)).map(({ id }) => id);

describe("deleting a database", () => {
  test("removes everything, and does not wait for another tab that has it open", async () => {
    const name = `test ${++count}`;
    const database = await openLocalDatabase(name);
    await database.write({ values: { me: "somebody" } });
    let isLost = false;
    database.onLost(() => (isLost = true));
    await deleteIndexedDb(name);
    expect(isLost).toBe(true);
    expect(await (await openLocalDatabase(name)).value("me")).toBeUndefined();

    const other = `test ${++count}`;
    const inAnotherTab = await requestResult<IDBDatabase>(indexedDB.open(other));
    await deleteIndexedDb(other);
    inAnotherTab.close();
  });
});

describe("the local database", () => {
  test("returns the newest messages of a chat below an id in ascending order", async () => {
    const database = await open();
    await database.write({
      messages: [
        ...[5, 1, 9, 3, 7].map((id) => ({ chatKey: "PRIVATE:1" as const, message: message(id) })),
        { chatKey: "PRIVATE:10", message: message(4) },
        { chatKey: "PRIVATE:1", message: message(null) },
      ],
    });
    expect(await idsOf(database, Infinity, 3)).toEqual([5, 7, 9]);
    expect(await idsOf(database, 5, 10)).toEqual([1, 3]);
    expect(await idsOf(database, 1, 10)).toEqual([]);
  });

  test("replaces the older version of a message", async () => {
    const database = await open();
    await database.write({ messages: [{ chatKey: "PRIVATE:1", message: message(2) }] });
    await database.write({
      messages: [{ chatKey: "PRIVATE:1", message: { ...message(2), content: "new" } }],
    });
    expect(await database.messagesBefore("PRIVATE:1", Infinity, 9)).toEqual([
      { ...message(2), content: "new" },
    ]);
  });

  test("removes a chat with its messages", async () => {
    const database = await open();
    await database.write({
      chats: [chat("PRIVATE:1"), chat("PRIVATE:2")],
      messages: [{ chatKey: "PRIVATE:1", message: message(1) }],
    });
    await database.write({ removedChats: ["PRIVATE:1"] });
    expect(await database.chats()).toEqual([chat("PRIVATE:2")]);
    expect(await idsOf(database, Infinity, 9)).toEqual([]);
  });

  test("clears chats, messages and values before it writes, and leaves the outbox", async () => {
    const database = await open();
    const entry = {
      tmpId: "t",
      tab: "tab",
      chatKey: "PRIVATE:1",
      type: 0,
      content: "hi",
      upload: null,
      quote: null,
      atUserIds: [],
      receipt: false,
      createdAt: 1,
      failed: false,
      failure: null,
    } as const;
    await database.write({
      chats: [chat("PRIVATE:1")],
      messages: [{ chatKey: "PRIVATE:1", message: message(1) }],
      outbox: [entry],
      values: { cursor: 5 },
    });
    await database.write({
      clearMessages: true,
      chats: [chat("PRIVATE:1", { draft: "kept" })],
      values: { epoch: "e" },
    });
    expect(await database.chats()).toEqual([chat("PRIVATE:1", { draft: "kept" })]);
    expect(await idsOf(database, Infinity, 9)).toEqual([]);
    expect(await database.value("cursor")).toBeUndefined();
    expect(await database.value("epoch")).toBe("e");
    expect(await database.outbox()).toEqual([entry]);
  });

  test("keeps the values that are named when it clears the rest", async () => {
    const database = await open();
    await database.write({ values: { "a 1": 1, "b ": 2, "b 1": 3, "b!": 4, "d 1": 5, c: 6, e: 7 } });
    await database.write({ clearMessages: true, keptValues: ["d ", "b "], values: { f: 8 } });
    expect(await database.valuesWith("")).toEqual([2, 3, 5, 8]);
  });

  test("returns the values whose keys begin with a text, without those that were removed", async () => {
    const database = await open();
    await database.write({ values: { "a 1": 1, "a 2": 2, "a 3": 3, a: 4, "b 1": 5 } });
    await database.write({ values: { "a 2": undefined, "a 3": 6, "b 1": undefined, c: undefined } });
    expect(await database.valuesWith("a ")).toEqual([1, 6]);
    expect(await database.valuesWith("b ")).toEqual([]);
    expect(await database.value("a 2")).toBeUndefined();
  });

  test("returns the outbox in the order in which messages were written", async () => {
    const database = await open();
    const entry = (tmpId: string, createdAt: number) =>
      ({
        tmpId,
        tab: "tab",
        chatKey: "PRIVATE:1",
        type: 0,
        content: "",
        upload: null,
        quote: null,
        atUserIds: [],
        receipt: false,
        createdAt,
        failed: false,
        failure: null,
      }) as const;
    await database.write({ outbox: [entry("a", 3), entry("b", 1), entry("c", 2)] });
    await database.write({ removedOutbox: ["c"] });
    expect((await database.outbox()).map(({ tmpId }) => tmpId)).toEqual(["b", "a"]);
  });

  test("stores a write completely or not at all", async () => {
    const database = await open();
    const unstorable = { bad: () => undefined };
    await expect(database.write({ chats: [chat("PRIVATE:1")], values: unstorable })).rejects.toThrow();
    expect(await database.chats()).toEqual([]);
  });

  describe("a write of a thousand messages", () => {
    const thousand = (terms: (id: number) => readonly string[]) =>
      Array.from({ length: 1_000 }, (_, index) => ({
        chatKey: "PRIVATE:1" as const,
        message: message(index + 1),
        terms: () => terms(index + 1),
      }));

    test("runs in batches and finishes before later reads and writes", async () => {
      const database = await open();
      let termCalls = 0;
      const writes = [
        database.write({
          messages: thousand(() => [`word${++termCalls}`]),
          values: { cursor: 1_000 },
        }),
        database.write({
          messages: [{ chatKey: "PRIVATE:1", message: { ...message(1_000), content: "edited" } }],
          values: { cursor: 1_001 },
        }),
      ];
      expect(termCalls).toBe(200);
      const [newest] = await database.messagesBefore("PRIVATE:1", Infinity, 1);
      expect(newest?.content).toBe("edited");
      expect(await database.value("cursor")).toBe(1_001);
      await Promise.all(writes);
      expect(termCalls).toBe(1_000);
      expect(await idsOf(database, Infinity, 2_000)).toHaveLength(1_000);
      expect(await database.messagesWithTerm({ text: "word999", isPrefix: false }, "PRIVATE:1")).toEqual([
        { chatKey: "PRIVATE:1", id: 999 },
      ]);
    });

    test("is not stored at all when one message fails", async () => {
      const database = await open();
      const failure = new Error("the terms cannot be computed");
      const write = database.write({
        messages: thousand((id) => {
          if (id === 999) throw failure;
          return [];
        }),
      });
      await expect(write).rejects.toBe(failure);
      expect(await idsOf(database, Infinity, 2_000)).toEqual([]);
      await database.write({ messages: [{ chatKey: "PRIVATE:1", message: message(5) }] });
      expect(await idsOf(database, Infinity, 2_000)).toEqual([5]);
    });
  });

  describe("files", () => {
    const file = (id: string, content: string) => ({
      id,
      file: new Blob([content], { type: "text/plain" }),
      cover: null,
    });

    test("are returned with their bytes until they are removed, and stay when the messages are cleared", async () => {
      const database = await open();
      await database.putFile(file("a", "first"));
      await database.putFile({ ...file("b", "second"), cover: new Blob(["frame"]) });
      await database.write({ clearMessages: true });
      expect(await database.fileIds()).toEqual(["a", "b"]);
      const stored = (await database.file("b"))!;
      expect(await (stored.file as Blob).text()).toBe("second");
      expect(await (stored.cover as Blob).text()).toBe("frame");
      await database.removeFiles(["b", "unknown"]);
      expect(await database.file("b")).toBeUndefined();
      expect(await database.fileIds()).toEqual(["a"]);
    });

    test("that cannot be stored leave everything else as it is", async () => {
      const database = await open();
      const unstorable = { ...file("a", "x"), cover: { size: 1, type: "", bad: () => undefined } };
      await expect(database.putFile(unstorable)).rejects.toThrow();
      expect(await database.fileIds()).toEqual([]);
      await database.write({ chats: [chat("PRIVATE:1")] });
      expect(await database.chats()).toEqual([chat("PRIVATE:1")]);
    });
  });

  test("closes and notifies when a newer tab upgrades the schema, and cannot be opened again", async () => {
    const database = await open();
    let lost = 0;
    database.onLost(() => lost++);
    const newer = await requestResult<IDBDatabase>(indexedDB.open(`test ${count}`, 99));
    expect(lost).toBe(1);
    await expect(database.chats()).rejects.toThrow();
    newer.close();
    await expect(openLocalDatabase(`test ${count}`)).rejects.toMatchObject({ name: "VersionError" });
  });

  test("returns the oldest messages above an id in ascending order, and single messages by chat and id", async () => {
    const database = await open();
    await database.write({
      messages: [
        ...[5, 1, 9, 3, 7].map((id) => ({ chatKey: "PRIVATE:1" as const, message: message(id) })),
        { chatKey: "PRIVATE:10", message: message(4) },
      ],
    });
    const after = async (id: number, limit: number) =>
      (await database.messagesAfter("PRIVATE:1", id, limit)).map((row) => row.id);
    expect(await after(0, 3)).toEqual([1, 3, 5]);
    expect(await after(5, 10)).toEqual([7, 9]);
    expect(await after(9, 10)).toEqual([]);
    const places = [
      { chatKey: "PRIVATE:1" as const, id: 7 },
      { chatKey: "PRIVATE:1" as const, id: 4 },
      { chatKey: "PRIVATE:10" as const, id: 4 },
    ];
    expect(await database.messagesAt(places)).toEqual([message(7), undefined, message(4)]);
  });

  test("R4 finds messages by terms and prefixes and updates terms when messages change or are removed", async () => {
    const database = await open();
    const row = (chatKey: "PRIVATE:1" | "PRIVATE:2", id: number, terms: string[]) => ({
      chatKey,
      message: message(id),
      terms: () => terms,
    });
    const places = async (text: string, isPrefix: boolean, chatKey: "PRIVATE:1" | null = null) =>
      (await database.messagesWithTerm({ text, isPrefix }, chatKey))
        .map((place) => `${place.chatKey} ${place.id}`)
        .sort();
    await database.write({
      messages: [
        row("PRIVATE:1", 1, ["meeting", "明", "明天"]),
        row("PRIVATE:2", 2, ["meet"]),
        row("PRIVATE:1", 3, ["明天"]),
        row("PRIVATE:1", 4, ["meets"]),
      ],
    });
    expect(await places("meet", true)).toEqual(["PRIVATE:1 1", "PRIVATE:1 4", "PRIVATE:2 2"]);
    expect(await places("meet", true, "PRIVATE:1")).toEqual(["PRIVATE:1 1", "PRIVATE:1 4"]);
    expect(await places("meet", false)).toEqual(["PRIVATE:2 2"]);
    expect(await places("明", false)).toEqual(["PRIVATE:1 1"]);
    expect(await places("明天", false, "PRIVATE:1")).toEqual(["PRIVATE:1 1", "PRIVATE:1 3"]);
    await database.write({ messages: [row("PRIVATE:1", 1, ["edited"]), row("PRIVATE:1", 4, [])] });
    expect(await places("meet", true)).toEqual(["PRIVATE:2 2"]);
    expect(await places("edited", false)).toEqual(["PRIVATE:1 1"]);
    await database.write({ removedMessages: [{ chatKey: "PRIVATE:1", ids: [1] }] });
    expect(await places("edited", false)).toEqual([]);
    await database.write({ removedMessages: [{ chatKey: "PRIVATE:1", upTo: 3 }] });
    expect(await places("明天", false)).toEqual([]);
    await database.write({ clearMessages: true });
    expect(await places("meet", true)).toEqual([]);
  });

  test("R8 reports the size of a chat and where it would be trimmed", async () => {
    const database = await open();
    const messages = [1, 2, 3, 4, 5].map((id) => ({ chatKey: "PRIVATE:1" as const, message: message(id) }));
    await database.write({ chats: [chat("PRIVATE:1"), chat("PRIVATE:2")], messages });
    const [size, empty] = await database.sizes(3);
    expect(size).toMatchObject({ chatKey: "PRIVATE:1", count: 5, oldestRetainedId: 3 });
    expect(size?.bytes).toBeGreaterThan(5 * JSON.stringify(message(1)).length);
    expect(empty).toMatchObject({ chatKey: "PRIVATE:2", count: 0, bytes: 0, oldestRetainedId: null });
  });
});
