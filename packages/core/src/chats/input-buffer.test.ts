import { expect, test } from "vitest";
import type { ChatInput } from "../model/chats/chat-input.ts";
import { FRIEND_CHAT, privateRow } from "../testing/builders.ts";
import { privateInput } from "../testing/chat-harness.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { createInputBuffer } from "./input-buffer.ts";

const row = (id: number) => privateInput(privateRow({ id }));
const read: ChatInput = { kind: "read", key: FRIEND_CHAT, side: "mine", upTo: 5 };
const nameOf = (input: ChatInput) => (input.kind === "row" ? input.message.id : input.kind);

function setUp() {
  const clock = createFakeClock();
  const pull = { isLoading: false };
  const batches: unknown[] = [];
  const buffer = createInputBuffer({
    clock,
    isLoading: () => pull.isLoading,
    onPulled: (inputs) => batches.push({ pulled: inputs.map(nameOf) }),
    onLive: (inputs, pushedRows) =>
      batches.push({ live: inputs.map(nameOf), pushed: pushedRows.map(nameOf) }),
  });
  return { clock, pull, batches, buffer };
}

test("what arrives in one turn is one batch, in order; only what was pushed may alert", () => {
  const { clock, batches, buffer } = setUp();
  buffer.add(row(1), true);
  buffer.add(read, true);
  buffer.add(row(2));
  expect([buffer.isIdle(), batches]).toEqual([false, []]);
  clock.runSoon();
  expect(batches).toEqual([{ live: [1, "read", 2], pushed: [1] }]);
  expect([buffer.isIdle(), clock.runSoon()]).toEqual([true, false]);
});

test("what arrives during a pull waits for its end, read positions behind the rows", () => {
  const { clock, pull, batches, buffer } = setUp();
  pull.isLoading = true;
  for (const input of [row(1), read, row(2)]) buffer.add(input, true);
  clock.runSoon();
  expect(batches).toEqual([]);
  pull.isLoading = false;
  buffer.applyPulled();
  buffer.applyPulled();
  expect(batches).toEqual([{ pulled: [1, 2, "read"] }, { pulled: [] }]);
});

test("what arrived in the turn in which a pull begins waits for its end as well", () => {
  const { clock, pull, batches, buffer } = setUp();
  buffer.add(row(1), true);
  pull.isLoading = true;
  clock.runSoon();
  expect(batches).toEqual([]);
  buffer.applyPulled();
  expect(batches).toEqual([{ pulled: [1] }]);
});
