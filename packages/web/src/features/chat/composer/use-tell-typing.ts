import { useEffect } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { fieldText } from "../../../kit/message-field/field-text.ts";
import type { MessageField } from "../../../kit/message-field/use-message-field.ts";
import { useClient } from "../../../kit/loading/use-client.ts";
import { useUserSetting } from "../../../kit/settings/user-settings.ts";
import { typingChange } from "./typing-change.ts";

/** Tells the others that the person types, unless they shall not see it. Call the first function after each change by the person. */
export function useTellTyping(chatKey: ChatKey, { field, composing }: MessageField) {
  const { chats } = useClient();
  const [setting] = useUserSetting("typing");
  const stopped = () => chats.stoppedTyping(chatKey);
  const changed = () => {
    if (field.current === null) return;
    const change = typingChange(fieldText(field.current), composing.current);
    if (change === "emptied") stopped();
    else if (change === "typed" && setting === "on") chats.typed(chatKey);
  };
  return { changed, stopped } as const;
}

/** Tells the others that the person records a voice message, unless they shall not see it. */
export function useTellRecording(chatKey: ChatKey, isRecording: boolean): void {
  const { chats } = useClient();
  const [setting] = useUserSetting("typing");
  const isTold = isRecording && setting === "on";
  useEffect(() => (isTold ? chats.startedRecording(chatKey) : undefined), [chats, chatKey, isTold]);
}
