import { expect, test } from "vitest";
import { RequestStatus } from "@parley/protocol/codes";
import type { ChatMessage } from "@parley/core/model/state";
import { orderCards } from "./order-cards.ts";

const card = (id: number, status?: number, isOfGroup = false) => {
  const request = status === undefined ? null : { status };
  return {
    id,
    system: { request: isOfGroup ? null : request, groupRequest: isOfGroup ? request : null },
  } as ChatMessage;
};

test("N112 a notice marked as pinned stays on top", () => {
  const pinned = { id: 1, system: { request: null, groupRequest: null, isTop: true } } as ChatMessage;
  expect(orderCards([pinned, card(2)]).map(({ id }) => id)).toEqual([1, 2]);
});

test("unanswered requests come first, and each part is ordered newest first", () => {
  const { PENDING, APPROVED } = RequestStatus;
  const cards = orderCards([
    card(1),
    card(2, PENDING),
    card(3, APPROVED, true),
    card(4, PENDING, true),
    card(5),
  ]);
  expect(cards.map(({ id }) => id)).toEqual([4, 2, 5, 3, 1]);
});
