import "fake-indexeddb/auto";
import { describe, expect, test } from "vitest";
import type { Database, DiskWrite, StoredChat } from "@parley/core/runtime/ports";
import { openDatabase } from "./database.ts";

type Message = NonNullable<DiskWrite["messages"]>[number]["message"];

let count = 0;
const open = () => openDatabase(`test ${++count}`);
const message = (id: number | null) => ({ key: `k${id}`, id, content: `text ${id}` }) as Message;
const chat = (key: StoredChat["key"], more: object = {}): StoredChat => ({ key, ...more });
const idsOf = async (database: Database, before: number, limit: number) =>
  (await database.messagesBefore("PRIVATE:1", before, limit)).map(({ id }) => id);

describe("the database of a person", () => {
  test("answers the newest messages below an id, ascending, of that chat only", async () => {
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

  test("keeps a newer version of a message in place of the older", async () => {
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

  test("clears chats, messages and values first, and leaves the outbox", async () => {
    const database = await open();
    const entry = {
      tmpId: "t",
      chatKey: "PRIVATE:1",
      type: 0,
      content: "hi",
      quote: null,
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

  test("answers the outbox in the order of writing", async () => {
    const database = await open();
    const entry = (tmpId: string, createdAt: number) =>
      ({
        tmpId,
        chatKey: "PRIVATE:1",
        type: 0,
        content: "",
        quote: null,
        createdAt,
        failed: false,
        failure: null,
      }) as const;
    await database.write({ outbox: [entry("a", 3), entry("b", 1), entry("c", 2)] });
    await database.write({ removedOutbox: ["c"] });
    expect((await database.outbox()).map(({ tmpId }) => tmpId)).toEqual(["b", "a"]);
  });

  test("keeps all of a write or nothing", async () => {
    const database = await open();
    const unstorable = { bad: () => undefined };
    await expect(database.write({ chats: [chat("PRIVATE:1")], values: unstorable })).rejects.toThrow();
    expect(await database.chats()).toEqual([]);
  });

  test("tells when a newer tab needs the schema, and lets it through", async () => {
    const database = await open();
    let lost = 0;
    database.onLost(() => lost++);
    const request = indexedDB.open(`test ${count}`, 99);
    await new Promise((resolve, reject) => {
      request.addEventListener("success", resolve);
      request.addEventListener("error", reject);
    });
    expect(lost).toBe(1);
    await expect(database.chats()).rejects.toThrow();
    request.result.close();
  });
});
