import { EXTRA_PUSH_MS } from "@parley/protocol/limits";
import { expect, test } from "vitest";
import type { Actor } from "../../api/api-call.ts";
import type { PrivateRow } from "../../ports/private-message-store.ts";
import type { ChatStrategy } from "./chat-strategy.ts";
import { createPublishExtra } from "./publish-extra.ts";

type Private = ChatStrategy<"PRIVATE">;

/** Publishes acts of a person; `pushes` are the versions and acts that everybody was told, `own` those for the own devices. */
function createSubject() {
  const pushes: string[] = [];
  const own: string[] = [];
  const timers: (() => void)[] = [];
  const background: Promise<void>[] = [];
  const publish = createPublishExtra({
    delivery: {
      toUsers: (userIds, frame, capability) => pushes.push(`${frame} to ${userIds.join()} ${capability}`),
      toOwnOthers: (_, frame) => own.push(frame),
    },
    after: (ms, work) => {
      expect(ms).toBe(EXTRA_PUSH_MS);
      timers.push(work);
    },
    inBackground: (work) => background.push(work),
  });
  const chats = {
    audienceOf: async () => [1, 2],
    extraFrame: (_, { v, mine }, acts) =>
      `${v}${mine === undefined ? "" : " mine"}: ${acts.map(({ key }) => key).join()}`,
  } satisfies Pick<Private, "audienceOf" | "extraFrame"> as unknown as Private;
  return {
    pushes,
    own,
    act: (id: number, v: number, key: string) =>
      publish(
        chats,
        { id } as PrivateRow,
        {} as Actor,
        { v, mine: {} },
        {
          by: 1,
          kind: "reactions",
          key,
          on: true,
        },
      ),
    /** The time of all pushes up to now is over. */
    async pass() {
      for (const work of timers.splice(0)) work();
      await Promise.all(background.splice(0));
    },
  };
}

test("the first act on a message is told at once, and those that follow together when its time is over", async () => {
  const { act, pass, pushes, own } = createSubject();
  await act(7, 1, "a");
  expect(pushes).toEqual(["1: a to 1,2 extras"]);
  await act(7, 2, "b");
  await act(7, 3, "c");
  expect(pushes).toHaveLength(1);
  expect(own).toEqual(["1 mine: a", "2 mine: b", "3 mine: c"]);
  await pass();
  expect(pushes.slice(1)).toEqual(["3: b,c to 1,2 extras"]);
  await act(7, 4, "d");
  expect(pushes).toHaveLength(2);
  await pass();
  expect(pushes.slice(2)).toEqual(["4: d to 1,2 extras"]);
});

test("after a time in which nothing was done, an act is told at once again", async () => {
  const { act, pass, pushes } = createSubject();
  await act(7, 1, "a");
  await pass();
  await pass();
  expect(pushes).toHaveLength(1);
  await act(7, 2, "b");
  expect(pushes.slice(1)).toEqual(["2: b to 1,2 extras"]);
});

test("each message has a time of its own, and of acts that come late the newest totals are told", async () => {
  const { act, pass, pushes } = createSubject();
  await act(7, 1, "a");
  await act(8, 2, "b");
  expect(pushes).toEqual(["1: a to 1,2 extras", "2: b to 1,2 extras"]);
  await act(7, 5, "c");
  await act(7, 4, "d");
  await pass();
  expect(pushes.slice(2)).toEqual(["5: c,d to 1,2 extras"]);
});
