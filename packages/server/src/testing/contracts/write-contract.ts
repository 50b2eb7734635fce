import { expect, test } from "vitest";
import { required, newMessage, newNotice, newUser, NOON, type StoreContext } from "./store-fixtures.ts";

/** Durability, group commit, and the order that the lock of the commit gives. */
export function writeContract(bench: StoreContext): void {
  test("the epoch is random and stays with the database", async () => {
    const { epoch } = bench.store;
    expect(epoch.length).toBeGreaterThanOrEqual(12);
    expect((await bench.subject.reopen()).epoch).toBe(epoch);
  });

  test("a renewed epoch is another one, from the next opening on", async () => {
    const { epoch } = bench.store;
    await bench.store.write((tx) => tx.renewEpoch());
    expect(bench.store.epoch).toBe(epoch);
    const renewed = (await bench.subject.reopen()).epoch;
    expect(renewed).not.toBe(epoch);
    expect(renewed.length).toBe(epoch.length);
    expect((await bench.subject.reopen()).epoch).toBe(renewed);
  });

  test("a store that works is ready, a closed one is not", async () => {
    expect(await bench.store.isReady()).toBe(true);
    await bench.store.close();
    expect(await bench.store.isReady()).toBe(false);
  });

  test("reads see every write whose promise has resolved, also after reopening", async () => {
    const [ann, bob] = await bench.people(2);
    const { row } = await bench.store.appendPrivate(newMessage(required(ann).id, required(bob).id));
    expect(await bench.store.findPrivate(row.id)).toEqual(row);
    const again = await bench.subject.reopen();
    expect(await again.findPrivate(row.id)).toEqual(row);
    expect(await again.findUser(required(ann).id)).toEqual(ann);
  });

  test("a write resolves with the result of its function", async () => {
    expect(await bench.store.write(async () => "done")).toBe("done");
  });

  test("reads outside a write see nothing of it before its commit", async () => {
    let during: unknown = "not asked";
    await bench.store.write(async (tx) => {
      const user = required(await tx.insertUser(newUser("inside")));
      expect(await tx.findUser(user.id)).toEqual(user);
      during = await bench.store.findUser(user.id);
    });
    expect(during).toBeUndefined();
    expect(await bench.store.findUserByName("inside")).toBeDefined();
  });

  test("writes asked for together share one commit", async () => {
    await bench.people(2);
    const before = bench.subject.commits();
    const writes = Array.from({ length: 64 }, (_, n) =>
      n % 8 === 0
        ? bench.store.write((tx) => tx.insertUser(newUser(`shared${n}`)))
        : bench.store.appendPrivate(newMessage(1, 2, { tmpId: `t${n}` })),
    );
    await Promise.all(writes);
    expect(bench.subject.commits() - before).toBe(1);
  });

  test("a write that throws rejects alone and is undone alone", async () => {
    await bench.people(2);
    const first = bench.store.appendPrivate(newMessage(1, 2, { content: "first" }));
    const bad = bench.store.write(async (tx) => {
      await tx.insertUser(newUser("undone"));
      await tx.appendPrivate(newMessage(1, 2, { content: "undone" }));
      throw new Error("no");
    });
    const last = bench.store.write((tx) => tx.insertUser(newUser("kept")));
    await expect(bad).rejects.toThrow("no");
    await first;
    await last;
    expect(await bench.store.findUserByName("undone")).toBeUndefined();
    expect(await bench.store.findUserByName("kept")).toBeDefined();
    const rows = await bench.store.privateHistory(1, 2, { from: "newest", size: 10 });
    expect(rows.map((row) => row.content)).toEqual(["first"]);
  });

  test("a chat that was opened in an undone write is opened again by the next message", async () => {
    await bench.people(2);
    const bad = bench.store.write(async (tx) => {
      await tx.appendPrivate(newMessage(1, 2));
      throw new Error("no");
    });
    const good = bench.store.appendPrivate(newMessage(1, 2));
    await expect(bad).rejects.toThrow("no");
    const { row } = await good;
    expect(await bench.store.newestPrivateId(1, 2)).toBe(row.id);
    expect(await bench.store.newestPrivateId(2, 1)).toBe(row.id);
  });

  test("a message that the database refuses rejects alone", async () => {
    await bench.people(2);
    const broken = { ...newMessage(1, 2), content: null } as unknown as ReturnType<typeof newMessage>;
    const results = await Promise.allSettled([
      bench.store.appendPrivate(newMessage(1, 2, { content: "a" })),
      bench.store.appendPrivate(broken),
      bench.store.appendPrivate(newMessage(1, 2, { content: "b" })),
    ]);
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const rows = await bench.store.privateHistory(1, 2, { from: "after", id: 0, size: 10 });
    expect(rows.map((row) => row.content)).toEqual(["a", "b"]);
  });

  test("a write that waits for another write is refused, and the other one done", async () => {
    let inner: Promise<unknown> = Promise.resolve();
    const outer = bench.store.write(async (tx) => {
      await tx.insertUser(newUser("outer"));
      inner = bench.store.write((other) => other.insertUser(newUser("inner")));
      await inner;
    });
    await expect(outer).rejects.toThrow("waited for something other than its transaction");
    await inner;
    expect(await bench.store.findUserByName("outer")).toBeUndefined();
    expect(await bench.store.findUserByName("inner")).toBeDefined();
  });

  test("promises resolve in the order of asking, which is the order of the ids", async () => {
    await bench.people(2);
    const order: string[] = [];
    const writes = Array.from({ length: 20 }, (_, n) =>
      n % 3 === 0
        ? bench.store
            .write((tx) => tx.appendPrivate(newMessage(1, 2)))
            .then(({ row }) => order.push(`${n}:${row.id}`))
        : bench.store.appendPrivate(newMessage(2, 1)).then(({ row }) => order.push(`${n}:${row.id}`)),
    );
    await Promise.all(writes);
    expect(order).toEqual(Array.from({ length: 20 }, (_, n) => `${n}:${n + 1}`));
  });

  test("ids go up over reopening, and an undone write gives its ids to nobody", async () => {
    await bench.people(2);
    const { row: first } = await bench.store.appendPrivate(newMessage(1, 2));
    let undone = 0;
    await bench.store
      .write(async (tx) => {
        undone = (await tx.appendPrivate(newMessage(1, 2))).row.id;
        throw new Error("no");
      })
      .catch(() => undefined);
    const { row: second } = await bench.store.appendPrivate(newMessage(1, 2));
    expect(undone).toBeGreaterThan(first.id);
    expect(second.id).toBeGreaterThan(undone);
    const { row: third } = await (await bench.subject.reopen()).appendPrivate(newMessage(1, 2));
    expect(third.id).toBeGreaterThan(second.id);
  });

  test("sendTime never decreases with the id, whatever the clock says, also after reopening", async () => {
    await bench.people(2);
    const times: number[] = [];
    for (const sendTime of [NOON, NOON - 5_000, NOON + 1, NOON]) {
      times.push((await bench.store.appendPrivate(newMessage(1, 2, { sendTime }))).row.sendTime);
    }
    const again = await bench.subject.reopen();
    times.push((await again.appendPrivate(newMessage(1, 2, { sendTime: 5 }))).row.sendTime);
    expect(times).toEqual([NOON, NOON, NOON + 1, NOON + 1, NOON + 1]);
  });

  test("a closed store takes no more writes but finishes those under way", async () => {
    await bench.people(2);
    const under = bench.store.appendPrivate(newMessage(1, 2, { content: "under way" }));
    const closing = bench.store.close();
    await expect(bench.store.appendPrivate(newMessage(1, 2))).rejects.toThrow("closed");
    await closing;
    await under;
    const rows = await (await bench.subject.reopen()).privateHistory(1, 2, { from: "newest", size: 10 });
    expect(rows.map((row) => row.content)).toEqual(["under way"]);
  });

  test("a person's seqNos have no gaps, however many are given at once and whatever is undone", async () => {
    await bench.people(2);
    const notices = Array.from({ length: 12 }, (_, n) =>
      bench.store.write(async (tx) => {
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
      expect((await bench.store.listSystem(userId, 0, 100)).map((row) => row.seqNo)).toEqual(seqNos);
    }
  });
}
