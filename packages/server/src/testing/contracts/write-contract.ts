import { expect, test } from "vitest";
import { required, newMessage, newNotice, newUser, NOON, type StoreContext } from "./store-fixtures.ts";

/** The rules for writes: durability, group commit, rollback and order. */
export function writeContract(context: StoreContext): void {
  test("the epoch is random and stays the same after reopening", async () => {
    const { epoch } = context.store;
    expect(epoch.length).toBeGreaterThanOrEqual(12);
    expect((await context.subject.reopen()).epoch).toBe(epoch);
  });

  test("renewEpoch gives the database another epoch after reopening", async () => {
    const { epoch } = context.store;
    await context.store.write((tx) => tx.renewEpoch());
    expect(context.store.epoch).toBe(epoch);
    const renewed = (await context.subject.reopen()).epoch;
    expect(renewed).not.toBe(epoch);
    expect(renewed.length).toBe(epoch.length);
    expect((await context.subject.reopen()).epoch).toBe(renewed);
  });

  test("an open store is ready, a closed one is not", async () => {
    expect(await context.store.isReady()).toBe(true);
    await context.store.close();
    expect(await context.store.isReady()).toBe(false);
  });

  test("whoever asks whether the store is ready while that is checked waits for the same check", async () => {
    const { store } = context;
    const checks = new Set(Array.from({ length: 100 }, () => store.isReady()));
    expect(checks.size).toBe(1);
    expect(await Promise.all(checks)).toEqual([true]);
    await store.close();
    expect(await store.isReady()).toBe(false);
  });

  test("a read sees every write whose promise has resolved, also after reopening", async () => {
    const [ann, bob] = await context.people(2);
    const { row } = await context.store.appendPrivate(newMessage(required(ann).id, required(bob).id));
    expect(await context.store.findMessage("PRIVATE", row.id)).toEqual(row);
    const again = await context.subject.reopen();
    expect(await again.findMessage("PRIVATE", row.id)).toEqual(row);
    expect(await again.findUser(required(ann).id)).toEqual(ann);
  });

  test("a write resolves with the result of its function", async () => {
    expect(await context.store.write(async () => "done")).toBe("done");
  });

  test("a read outside a write does not see it before its commit", async () => {
    let during: unknown = "not asked";
    await context.store.write(async (tx) => {
      const user = required(await tx.insertUser(newUser("inside")));
      expect(await tx.findUser(user.id)).toEqual(user);
      during = await context.store.findUser(user.id);
    });
    expect(during).toBeUndefined();
    expect(await context.store.findUserByName("inside")).toBeDefined();
  });

  test("writes that are requested together share one commit", async () => {
    await context.people(2);
    const before = context.subject.commits();
    const writes = Array.from({ length: 64 }, (_, n) =>
      n % 8 === 0
        ? context.store.write((tx) => tx.insertUser(newUser(`shared${n}`)))
        : context.store.appendPrivate(newMessage(1, 2, { tmpId: `t${n}` })),
    );
    await Promise.all(writes);
    expect(context.subject.commits() - before).toBe(1);
  });

  test("a write that throws is rejected and rolled back without affecting the other writes", async () => {
    await context.people(2);
    const first = context.store.appendPrivate(newMessage(1, 2, { content: "first" }));
    const bad = context.store.write(async (tx) => {
      await tx.insertUser(newUser("undone"));
      await tx.appendPrivate(newMessage(1, 2, { content: "undone" }));
      throw new Error("no");
    });
    const last = context.store.write((tx) => tx.insertUser(newUser("kept")));
    await expect(bad).rejects.toThrow("no");
    await first;
    await last;
    expect(await context.store.findUserByName("undone")).toBeUndefined();
    expect(await context.store.findUserByName("kept")).toBeDefined();
    const rows = await context.store.listHistory("PRIVATE", 1, 2, { from: "newest", size: 10 });
    expect(rows.map((row) => row.content)).toEqual(["first"]);
  });

  test("a chat that was created in a rolled-back write is created again by the next message", async () => {
    await context.people(2);
    const bad = context.store.write(async (tx) => {
      await tx.appendPrivate(newMessage(1, 2));
      throw new Error("no");
    });
    const good = context.store.appendPrivate(newMessage(1, 2));
    await expect(bad).rejects.toThrow("no");
    const { row } = await good;
    expect(await context.store.newestVisibleId("PRIVATE", 1, 2)).toBe(row.id);
    expect(await context.store.newestVisibleId("PRIVATE", 2, 1)).toBe(row.id);
  });

  test("a message that the database refuses does not affect the other messages", async () => {
    await context.people(2);
    const broken = { ...newMessage(1, 2), content: null } as unknown as ReturnType<typeof newMessage>;
    const results = await Promise.allSettled([
      context.store.appendPrivate(newMessage(1, 2, { content: "a" })),
      context.store.appendPrivate(broken),
      context.store.appendPrivate(newMessage(1, 2, { content: "b" })),
    ]);
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const rows = await context.store.listHistory("PRIVATE", 1, 2, { from: "after", id: 0, size: 10 });
    expect(rows.map((row) => row.content)).toEqual(["a", "b"]);
  });

  test("a write that waits for another write is rejected, and the other one is done", async () => {
    let inner: Promise<unknown> = Promise.resolve();
    const outer = context.store.write(async (tx) => {
      await tx.insertUser(newUser("outer"));
      inner = context.store.write((other) => other.insertUser(newUser("inner")));
      await inner;
    });
    await expect(outer).rejects.toThrow("waited for something other than its transaction");
    await inner;
    expect(await context.store.findUserByName("outer")).toBeUndefined();
    expect(await context.store.findUserByName("inner")).toBeDefined();
  });

  test("promises resolve in the order of the calls, which is the order of the ids", async () => {
    await context.people(2);
    const order: string[] = [];
    const writes = Array.from({ length: 20 }, (_, n) =>
      n % 3 === 0
        ? context.store
            .write((tx) => tx.appendPrivate(newMessage(1, 2)))
            .then(({ row }) => order.push(`${n}:${row.id}`))
        : context.store.appendPrivate(newMessage(2, 1)).then(({ row }) => order.push(`${n}:${row.id}`)),
    );
    await Promise.all(writes);
    expect(order).toEqual(Array.from({ length: 20 }, (_, n) => `${n}:${n + 1}`));
  });

  test("ids keep rising after reopening, and an id of a rolled-back write is not used again", async () => {
    await context.people(2);
    const { row: first } = await context.store.appendPrivate(newMessage(1, 2));
    let undone = 0;
    await context.store
      .write(async (tx) => {
        undone = (await tx.appendPrivate(newMessage(1, 2))).row.id;
        throw new Error("no");
      })
      .catch(() => undefined);
    const { row: second } = await context.store.appendPrivate(newMessage(1, 2));
    expect(undone).toBeGreaterThan(first.id);
    expect(second.id).toBeGreaterThan(undone);
    const { row: third } = await (await context.subject.reopen()).appendPrivate(newMessage(1, 2));
    expect(third.id).toBeGreaterThan(second.id);
  });

  test("sendTime never decreases with the id, even if the clock goes back, also after reopening", async () => {
    await context.people(2);
    const times: number[] = [];
    for (const sendTime of [NOON, NOON - 5_000, NOON + 1, NOON]) {
      times.push((await context.store.appendPrivate(newMessage(1, 2, { sendTime }))).row.sendTime);
    }
    const again = await context.subject.reopen();
    times.push((await again.appendPrivate(newMessage(1, 2, { sendTime: 5 }))).row.sendTime);
    expect(times).toEqual([NOON, NOON, NOON + 1, NOON + 1, NOON + 1]);
  });

  test("a closed store refuses new writes and finishes those under way", async () => {
    await context.people(2);
    const pending = context.store.appendPrivate(newMessage(1, 2, { content: "under way" }));
    const closing = context.store.close();
    await expect(context.store.appendPrivate(newMessage(1, 2))).rejects.toThrow("closed");
    await closing;
    await pending;
    const rows = await (
      await context.subject.reopen()
    ).listHistory("PRIVATE", 1, 2, { from: "newest", size: 10 });
    expect(rows.map((row) => row.content)).toEqual(["under way"]);
  });

  test("a person's seqNos have no gaps, even with concurrent and rolled-back writes", async () => {
    await context.people(2);
    const notices = Array.from({ length: 12 }, (_, n) =>
      context.store.write(async (tx) => {
        const row = await tx.appendSystem(newNotice((n % 2) + 1));
        if (n % 5 === 3) throw new Error("no");
        return row;
      }),
    );
    const given = (await Promise.allSettled(notices)).flatMap((r) =>
      r.status === "fulfilled" ? [r.value] : [],
    );
    for (const userId of [1, 2]) {
      const seqNos = given.filter((row) => row.userId === userId).map((row) => row.seqNo);
      expect(seqNos).toEqual(seqNos.map((_, index) => index + 1));
      expect((await context.store.listSystem(userId, 0, 100)).map((row) => row.seqNo)).toEqual(seqNos);
    }
  });
}
