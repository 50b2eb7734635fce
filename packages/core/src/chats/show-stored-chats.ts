import { parseChatKey } from "../model/chats/chat-rows.ts";
import { restoreChat } from "../model/chats/saved-chat.ts";
import type { ChatKey } from "../model/state.ts";
import type { ChatRecord } from "../ports.ts";
import type { SessionEvents } from "../session-events.ts";
import type { ChatDeps } from "./chat-store.ts";
import type { DraftStash } from "./draft-stash.ts";
import type { Outbox } from "./outbox.ts";

/** The services that have a part in what is shown. */
export interface ShowStoredChatsDeps extends ChatDeps {
  draftStash: DraftStash;
  outbox: Outbox;
  listeners: readonly Partial<SessionEvents>[];
}

/** Shows the chats of the local database with the newest draft, with all that is unsent, and the chat that was open. */
export function showStoredChats(
  { ports, stateStore, chatStore, draftStash, outbox, listeners, me }: ShowStoredChatsDeps,
  stored: readonly ChatRecord[],
  lastOpen: unknown,
): { readonly openKey: ChatKey | null; readonly hasUnreadable: boolean } {
  const chats = stored.flatMap((value) => restoreChat(value) ?? []);
  const lastOpenKey = typeof lastOpen === "string" ? parseChatKey(lastOpen)?.key : undefined;
  const openKey = chats.find((chat) => chat.key === lastOpenKey)?.key ?? null;
  const draft = draftStash.load(me);
  stateStore.batch(() => {
    chatStore.dispatch([
      { kind: "restore", chats },
      ...(draft === null ? [] : [{ kind: "draft", ...draft } as const]),
      ...(openKey === null ? [] : [{ kind: "open", key: openKey, now: ports.clock.now() } as const]),
    ]);
    for (const listener of listeners) listener.reapply?.();
    outbox.showLocalEchoes();
  });
  return { openKey, hasUnreadable: chats.length < stored.length };
}
