import { useEffect } from "react";
import { useLocation } from "wouter";
import { chatPath } from "../kit/chat-path.ts";
import { useShowRequest } from "../kit/show-message.ts";

/** Goes to the chat that holds a message somebody wants to see; the chat itself shows it. */
export function useShownChat(): void {
  const key = useShowRequest()?.key;
  const path = key === undefined ? null : chatPath(key);
  const [location, navigate] = useLocation();
  useEffect(() => {
    if (path !== null && path !== location) navigate(path);
  }, [path, location, navigate]);
}
