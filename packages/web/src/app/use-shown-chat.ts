import { useEffect } from "react";
import { useLocation } from "wouter";
import { useShowRequest } from "../kit/show-message.ts";

/** Goes to the chat that holds a message somebody wants to see; the chat itself shows it. */
export function useShownChat(): void {
  const key = useShowRequest()?.key;
  const [, navigate] = useLocation();
  useEffect(() => {
    if (key !== undefined) navigate(`/home/chat/${key}`);
  }, [key, navigate]);
}
