import { useSyncExternalStore } from "react";

/** Dialogs that any feature may ask for; the shell shows the one asked for last. */
export type DialogRequest =
  /** The card of a person, at the point asked for (spec §2). */
  | { readonly kind: "userCard"; readonly userId: number; readonly x: number; readonly y: number }
  /** Goes to chats, people, messages and commands. */
  | { readonly kind: "switcher" }
  /** The table of keys. */
  | { readonly kind: "keys" }
  | { readonly kind: "addFriend" }
  /** Ask this person, with a remark. */
  | { readonly kind: "applyFriend"; readonly userId: number; readonly name: string }
  | { readonly kind: "confirmBlock"; readonly userId: number; readonly name: string }
  | { readonly kind: "confirmLogout" }
  | { readonly kind: "settings" }
  /** Of these three each is an entry of the popup menu (spec §2). */
  | { readonly kind: "otherSettings" }
  | { readonly kind: "clearHistory" }
  | { readonly kind: "about" };

let request: DialogRequest | null = null;
const listeners = new Set<() => void>();

function replace(next: DialogRequest | null): void {
  request = next;
  for (const listener of listeners) listener();
}

export function openDialog(next: DialogRequest): void {
  replace(next);
}

export function closeDialog(): void {
  if (request !== null) replace(null);
}

/** For whoever shows dialogs: the one asked for. */
export function useDialogRequest(): DialogRequest | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => request,
  );
}
