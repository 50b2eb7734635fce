import { expect, it } from "vitest";
import type { ChatKey } from "@parley/core/model/state";
import { nextChat } from "./use-chat-keys.ts";

const order: ChatKey[] = ["PRIVATE:1", "PRIVATE:2", "PRIVATE:3"];
const any = () => true;

it("steps through the chats and stops at the ends", () => {
  expect(nextChat(order, "PRIVATE:1", 1, any)).toBe("PRIVATE:2");
  expect(nextChat(order, "PRIVATE:1", -1, any)).toBeNull();
  expect(nextChat(order, null, 1, any)).toBe("PRIVATE:1");
  expect(nextChat(order, null, -1, any)).toBe("PRIVATE:3");
});

it("steps over chats that do not fit", () => {
  expect(nextChat(order, "PRIVATE:1", 1, (key) => key === "PRIVATE:3")).toBe("PRIVATE:3");
});
