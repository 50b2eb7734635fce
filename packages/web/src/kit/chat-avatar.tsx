import { Bell, NotebookPen } from "lucide-react";
import { Avatar } from "../ui/avatar.tsx";
import { ICON } from "../ui/icon.ts";
import type { ChatLook } from "./chat-name.ts";

const SIGNS = { system: <Bell {...ICON} />, notes: <NotebookPen {...ICON} /> } as const;

/** The picture of a chat, as `useChatLook` tells it. */
export function ChatAvatar({ look, size }: { look: ChatLook; size: number }) {
  const { name, picture, isOnline, colour, shape, sign } = look;
  return (
    <Avatar
      name={name}
      url={picture}
      id={colour}
      size={size}
      shape={shape}
      isOnline={isOnline}
      icon={sign === null ? undefined : SIGNS[sign]}
    />
  );
}
