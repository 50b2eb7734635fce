import { useEffect } from "react";
import { useLocation } from "wouter";
import { chatPath } from "../kit/chat-path.ts";
import { goDown } from "../kit/go-up.ts";
import { useShowRequest } from "../kit/show-message.ts";

/** Opens the chat of a requested message. The conversation itself then scrolls to the message. */
export function useShownChat(): void {
  const key = useShowRequest()?.key;
  const path = key === undefined ? null : chatPath(key);
  const [location] = useLocation();
  useEffect(() => {
    if (path !== null && path !== location) goDown(path);
  }, [path, location]);
}
