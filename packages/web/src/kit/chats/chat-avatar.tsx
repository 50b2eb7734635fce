import { Bell, NotebookPen } from "lucide-react";
import { Avatar } from "../../ui/avatar.tsx";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import type { ChatAppearance } from "./chat-name.ts";

const ICONS = { system: <Bell {...ICON_PROPS} />, notes: <NotebookPen {...ICON_PROPS} /> } as const;

/** The picture of a chat, as `useChatAppearance` describes it. */
export function ChatAvatar({ appearance, size }: { appearance: ChatAppearance; size: number }) {
  const { name, picture, isOnline, colour, shape, sign } = appearance;
  return (
    <Avatar
      name={name}
      url={picture}
      id={colour}
      size={size}
      shape={shape}
      isOnline={isOnline}
      icon={sign === null ? undefined : ICONS[sign]}
    />
  );
}
