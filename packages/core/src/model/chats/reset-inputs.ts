import type { Chats } from "../state.ts";
import type { ChatInput } from "./chat-input.ts";
import { hasDraft } from "./has-draft.ts";

/**
 * What only this device has, as inputs for the time after all messages were dropped: drafts and the open chat. `isOtherServer`: without
 * quotes and edits, whose ids belong to other messages in another database.
 */
export function inputsAfterReset(chats: Chats, isOtherServer: boolean, now: number): ChatInput[] {
  const drafts = Object.values(chats.byKey).filter((chat) =>
    hasDraft(isOtherServer ? { ...chat, draftQuote: null, draftEdit: null } : chat),
  );
  return [
    ...drafts.flatMap(
      ({
        key,
        draft: text,
        draftMentions: mentions,
        draftQuote: quote,
        draftEdit: edit,
        draftFiles: files,
      }): ChatInput[] => [
        { kind: "open", key, now },
        { kind: "draft", key, text, mentions, files, ...(!isOtherServer && { quote, edit }) },
      ],
    ),
    chats.openKey === null ? { kind: "close" } : { kind: "open", key: chats.openKey, now },
  ];
}
