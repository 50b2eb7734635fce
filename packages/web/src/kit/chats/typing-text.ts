import { ChatType } from "@parley/protocol/codes";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { ChatKey, State } from "@parley/core/model/state";
import { memberNameOf } from "./group.ts";
import { useText, type Translate } from "../i18n/i18n.ts";
import { useClientState } from "../loading/use-client.ts";

/** Who types in a chat, in words; null: nobody does. */
export function useTypingText(key: ChatKey): string | null {
  const t = useText();
  return useClientState((state) => typingText(key, state, t));
}

/** The other one of a private chat has no name here; of more than two people nobody has. */
export function typingText(
  key: ChatKey,
  state: Pick<State, "typists" | "groups" | "contacts" | "session" | "me">,
  t: Translate,
): string | null {
  const chat = parseChatKey(key);
  const [first, second, ...others] = state.typists[key] ?? [];
  if (chat === null || first === undefined) return null;
  if (chat.type === ChatType.PRIVATE) return t(first.what === "voice" ? "chat.recording" : "chat.typing");
  if (others.length > 0) return t("chat.typingMany");
  const nameOf = ({ userId, name }: typeof first) => memberNameOf(state, chat.targetId, userId, name, t);
  if (second !== undefined) return t("chat.typingTwo", { first: nameOf(first), second: nameOf(second) });
  return t(first.what === "voice" ? "chat.recordingOne" : "chat.typingOne", { name: nameOf(first) });
}
