import { useSyncExternalStore } from "react";
import type { RequestSource } from "@parley/protocol/codes";

/** Dialogs that any feature may ask for; the shell shows the one asked for last. */
export type DialogRequest =
  /** The card of a person, at the point asked for (spec §2). */
  | {
      readonly kind: "userCard";
      readonly userId: number;
      readonly x: number;
      readonly y: number;
      /** Where the person was met. */
      readonly source?: RequestSource | undefined;
    }
  /** Goes to chats, people, messages and commands. */
  | { readonly kind: "switcher" }
  /** The table of keys. */
  | { readonly kind: "keys" }
  | { readonly kind: "addFriend" }
  /** Ask this person, with a remark. */
  | {
      readonly kind: "applyFriend";
      readonly userId: number;
      readonly name: string;
      readonly source?: RequestSource | undefined;
    }
  | { readonly kind: "confirmBlock"; readonly userId: number; readonly name: string }
  | GroupDialogRequest
  | { readonly kind: "confirmLogout" }
  | { readonly kind: "settings" }
  /** Of these three each is an entry of the popup menu (spec §2). */
  | { readonly kind: "otherSettings" }
  | { readonly kind: "clearHistory" }
  | { readonly kind: "about" };

/** What is asked about groups; whether it may be done is the asker's matter. */
export type GroupDialogRequest =
  | { readonly kind: "createGroup" }
  /** By number or by a search; `number` is looked up at once. */
  | { readonly kind: "joinGroup"; readonly number?: number }
  /** Chooses members, or friends to invite. */
  | { readonly kind: "pickMembers"; readonly groupId: number; readonly act: MemberPickerAction }
  | { readonly kind: "removeMember"; readonly groupId: number; readonly userId: number }
  | { readonly kind: "transferGroup"; readonly groupId: number; readonly userId: number }
  | { readonly kind: "leaveGroup"; readonly groupId: number; readonly how: "quit" | "dissolve" }
  | { readonly kind: "groupNotice"; readonly groupId: number };

export type MemberPickerAction = "invite" | "remove" | "managers" | "mute" | "transfer";

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
