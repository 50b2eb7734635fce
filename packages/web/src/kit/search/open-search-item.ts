import { chatPath, showMessage } from "../chats/show-message.ts";
import { goDown } from "../dialogs/go-up.ts";
import type { SearchItem } from "./use-search-sections.ts";

/** Goes to what a search has found, or runs the command. */
export function openSearchItem(item: Exclude<SearchItem, { kind: "more" }>): void {
  if (item.kind === "chat") goDown(chatPath(item.key));
  else if (item.kind === "command") item.command.run();
  else if (item.result.message.id !== null) showMessage(item.result.key, item.result.message.id);
}
