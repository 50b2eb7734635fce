import { useEffect } from "react";
import { useLocation } from "wouter";
import { isPressed } from "../kit/keys.ts";

const AREAS = [
  ["chats", "/home/chat"],
  ["friends", "/home/friend"],
  ["groups", "/home/group"],
] as const;

/** Keys that go to chats, friends and groups; browsers keep Ctrl with digits for their tabs. */
export function useAreaKeys(): void {
  const [, navigate] = useLocation();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const area = AREAS.find(([action]) => isPressed(event, action));
      if (area === undefined) return;
      event.preventDefault();
      navigate(area[1]);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [navigate]);
}
