/** Contract of running calls: any store must pass it. */
import { describe, expect, test } from "vitest";
import {
  type CallMemberRow,
  type PrivateCallRow,
  groupCallKey,
  privateCallKey,
} from "../../ports/call-store.ts";
import { NOON, type StoreContext } from "./store-fixtures.ts";

const CALL: PrivateCallRow = {
  key: privateCallKey(1),
  mode: "video",
  hostId: 1,
  groupId: null,
  calleeId: 2,
  acceptedAt: null,
  heldOffer: null,
  offerCount: 0,
  heldCandidates: [],
};

const member = (userId: number, patch: Partial<CallMemberRow> = {}): CallMemberRow => ({
  userId,
  callKey: CALL.key,
  client: { clientId: `client of ${userId}`, sessionId: `session of ${userId}` },
  failedClients: [],
  isCamera: false,
  isMicroPhone: true,
  isShareScreen: false,
  lastBeat: NOON,
  detachedAt: null,
  deadline: NOON + 45_000,
  ...patch,
});

/** Running calls, their people, and the frames that wait for them. */
export function callContract(context: StoreContext): void {
  const start = (...members: CallMemberRow[]) =>
    context.store.write(async (tx) => {
      await tx.insertCall(CALL);
      for (const each of members) await tx.insertCallMember(each);
    });

  describe("calls", () => {
    test("a call and its people are found as they were written and changed", async () => {
      await start(member(1), member(2, { client: null, deadline: NOON + 30_000 }));
      expect(await context.store.findCall(CALL.key)).toEqual(CALL);
      const client = { clientId: null, sessionId: "s" };
      const failedClients = [client, { clientId: "c", sessionId: "s" }];
      await context.store.write(async (tx) => {
        await tx.updateCall(CALL.key, {
          acceptedAt: NOON,
          heldOffer: "{}",
          offerCount: 1,
          heldCandidates: ["a", "b"],
        });
        await tx.updateCallMember(2, { client, failedClients, detachedAt: NOON });
      });
      expect(await context.store.findCall(CALL.key)).toEqual({
        ...CALL,
        acceptedAt: NOON,
        heldOffer: "{}",
        offerCount: 1,
        heldCandidates: ["a", "b"],
      });
      const changed = member(2, { client, failedClients, detachedAt: NOON, deadline: NOON + 30_000 });
      expect(await context.store.findCallMember(2)).toEqual(changed);
      expect(await context.store.listCallMembers(CALL.key)).toEqual([member(1), changed]);
      expect(await context.store.listPeopleInCalls([3, 2, 1])).toEqual([1, 2]);
    });

    test("nobody is in two calls, and a key is that of one call", async () => {
      await start(member(1));
      const again = { ...CALL, key: privateCallKey(3), hostId: 3, calleeId: 1 };
      const second = context.store.write(async (tx) => {
        await tx.insertCall(again);
        await tx.insertCallMember(member(1, { callKey: again.key }));
      });
      await expect(second).rejects.toThrow();
      expect(await context.store.findCall(again.key)).toBeUndefined();
      await expect(context.store.write((tx) => tx.insertCall(CALL))).rejects.toThrow();
    });

    test("the people whose deadline has come are listed, the earliest first", async () => {
      await start(member(1, { deadline: NOON + 3 }), member(2, { deadline: NOON + 1 }));
      const due = async (now: number, limit = 10) =>
        (await context.store.listDueCallMembers(now, limit)).map(({ userId }) => userId);
      expect(await due(NOON)).toEqual([]);
      expect(await due(NOON + 1)).toEqual([2]);
      expect(await due(NOON + 3)).toEqual([2, 1]);
      expect(await due(NOON + 3, 1)).toEqual([2]);
    });

    test("frames wait in order, up to a number, and are taken once", async () => {
      await start(member(1), member(2));
      const { store } = context;
      await store.write(async (tx) => {
        for (const frame of ["a", "b", "c"]) await tx.queueCallFrame(1, frame, 2);
        await tx.queueCallFrame(2, "other", 2);
      });
      const take = (userId: number) => store.write((tx) => tx.takeCallFrames(userId));
      expect(await take(1)).toEqual(["a", "b"]);
      expect(await take(1)).toEqual([]);
      await store.write((tx) => tx.deleteCall(CALL.key));
      expect(await take(2)).toEqual([]);
    });

    test("calls are found by their keys, and one person can leave a call", async () => {
      await start(member(1), member(2));
      const group = { ...CALL, key: groupCallKey(7), groupId: 7, calleeId: null };
      await context.store.write(async (tx) => {
        await tx.insertCall(group);
        await tx.updateCallMember(1, { isCamera: true, isMicroPhone: false, isShareScreen: true });
        await tx.queueCallFrame(2, "a", 9);
        await tx.deleteCallMember(2);
      });
      expect(await context.store.findCalls([groupCallKey(8), group.key])).toEqual([group]);
      expect(await context.store.listCallMembers(CALL.key)).toEqual([
        member(1, { isCamera: true, isMicroPhone: false, isShareScreen: true }),
      ]);
      expect(await context.store.write((tx) => tx.takeCallFrames(2))).toEqual([]);
    });

    test("a deleted call leaves nobody behind", async () => {
      await start(member(1), member(2));
      await context.store.write((tx) => tx.deleteCall(CALL.key));
      expect(await context.store.findCall(CALL.key)).toBeUndefined();
      expect(await context.store.findCallMember(1)).toBeUndefined();
      expect(await context.store.listCallMembers(CALL.key)).toEqual([]);
    });

    test("after a restart those who were silent until then were heard just now and have no socket; what rings and who was heard keep their deadlines", async () => {
      const ringing = member(2, { client: null, deadline: NOON + 30_000 });
      const heard = member(3, { lastBeat: NOON + 1 });
      await start(member(1, { lastBeat: NOON }), ringing, heard);
      await context.store.write((tx) => tx.renewCallMembers(NOON + 9, NOON + 99, NOON));
      expect(await context.store.listCallMembers(CALL.key)).toEqual([
        member(1, { lastBeat: NOON + 9, detachedAt: NOON + 9, deadline: NOON + 99 }),
        ringing,
        heard,
      ]);
    });
  });
}
