import { ChatType } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import { groupMessageSteps } from "./group-message-steps.ts";
import { type StoreContext } from "./store-fixtures.ts";

/** The rules for read positions in groups, and the receipts that they give. */
export function groupReceiptContract(context: StoreContext): void {
  const { group, join, leave, send, read } = groupMessageSteps(context);

  test("a higher read position returns each message with receipt once, starting right after the old position", async () => {
    await context.people(2);
    const groupId = await group(2);
    const first = await send(groupId, 1, { receipt: true });
    expect(await read(2, groupId, first.id)).toEqual([{ id: first.id, sendId: 1 }]);
    const second = await send(groupId, 1, { receipt: true });
    expect(second.id).toBe(first.id + 1);
    expect(await read(2, groupId, second.id)).toEqual([{ id: second.id, sendId: 1 }]);
    expect(await read(2, groupId, second.id)).toBeUndefined();
  });

  test("a higher read position updates the receipts of the messages that it covers", async () => {
    await context.people(4);
    const groupId = await group(2, 3);
    const asked = await send(groupId, 1, { receipt: true });
    const plain = await send(groupId, 1);
    const own = await send(groupId, 2, { receipt: true });
    await join(groupId, 4);
    const receipts = () => context.store.listGroupReceipts(groupId, [asked.id, plain.id, own.id]);
    const receipt = (id: number, readedCount: number, receiptOk: boolean) => ({
      id,
      groupId,
      readedCount,
      receiptOk,
    });
    expect(await receipts()).toEqual([receipt(asked.id, 0, false), receipt(own.id, 0, false)]);
    const { next } = await context.store.listChanges(1, 0);
    expect(await read(2, groupId, own.id)).toEqual([{ id: asked.id, sendId: 1 }]);
    expect(await read(2, groupId, plain.id)).toBeUndefined();
    expect(await read(4, groupId, own.id)).toEqual([]);
    expect(await receipts()).toEqual([receipt(asked.id, 1, false), receipt(own.id, 0, false)]);
    expect(await context.store.listGroupReaders(asked)).toEqual([2]);
    expect(await context.store.listGroupUnread(asked)).toEqual([3]);
    expect(await context.store.listGroupUnread(own)).toEqual([1, 3]);
    expect((await context.store.listChanges(1, next)).receipts).toEqual([receipt(asked.id, 1, false)]);
    expect((await context.store.listChanges(2, 0)).read).toEqual([
      { type: ChatType.GROUP, targetId: groupId, mine: own.id, theirs: -1 },
    ]);
    // A receipt does not wait for people who joined later or have left.
    await leave(groupId, 3);
    expect(await context.store.listGroupUnread(asked)).toEqual([]);
    expect(await receipts()).toEqual([receipt(asked.id, 1, true), receipt(own.id, 0, false)]);
    expect(await context.store.groupReadPositions(2)).toEqual(new Map([[groupId, own.id]]));
    expect(await context.store.groupReadPositions(3)).toEqual(new Map());
    expect(await context.store.groupReadPosition(2, groupId)).toBe(own.id);
    expect(await context.store.groupReadPosition(3, groupId)).toBe(-1);
  });
}
