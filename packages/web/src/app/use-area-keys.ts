import { useEffect } from "react";
import { useLocation } from "wouter";

const AREAS: Readonly<Record<string, string>> = { Digit1: "/home/chat", Digit2: "/home/friend" };

/** Alt 1 and Alt 2 go to chats and friends; browsers keep Ctrl with digits for their tabs. */
export function useAreaKeys(): void {
  const [, navigate] = useLocation();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const path = AREAS[event.code];
      if (path === undefined || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      navigate(path);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [navigate]);
}
