import { useEffect } from "react";
import { useLocation } from "wouter";
import { chatPath } from "../kit/chat-path.ts";
import { useShowRequest } from "../kit/show-message.ts";

/** Opens the chat of a requested message. The conversation itself then scrolls to the message. */
export function useShownChat(): void {
  const key = useShowRequest()?.key;
  const path = key === undefined ? null : chatPath(key);
  const [location, navigate] = useLocation();
  useEffect(() => {
    if (path !== null && path !== location) navigate(path);
  }, [path, location, navigate]);
}
