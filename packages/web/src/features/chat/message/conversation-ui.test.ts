import { expect, test } from "vitest";
import { DELETE_BATCH_MAX } from "@parley/protocol/limits";
import { FRIEND_CHAT, localEcho } from "@parley/core/testing/builders";
import { currentText } from "../../../kit/i18n/i18n.ts";
import { useToasts } from "../../../ui/toast-store.ts";
import { createConversationUi, toggleSelected } from "./conversation-ui.ts";

test("says that no more messages can be selected than one call can delete", () => {
  useToasts.setState([], true);
  const ui = createConversationUi(FRIEND_CHAT);
  const messages = Array.from({ length: DELETE_BATCH_MAX + 1 }, (_, index) => localEcho(`t${index}`));
  for (const message of messages.slice(1)) toggleSelected(ui, message);
  expect(useToasts.getState()).toEqual([]);
  const [oneMore] = messages;
  if (oneMore !== undefined) toggleSelected(ui, oneMore);
  expect(ui.get().selected?.size).toBe(DELETE_BATCH_MAX);
  const text = currentText()("choose.tooMany", { max: DELETE_BATCH_MAX });
  expect(useToasts.getState()).toMatchObject([{ kind: "error", text }]);
  useToasts.setState([], true);
});
