import type { ComponentType } from "react";
import { create } from "zustand";
import type { RequestSource } from "@parley/protocol/codes";
import type { ChatKey } from "@parley/core/model/state";

/** Dialogs that any feature may open; the shell shows the one requested last. */
export type DialogRequest =
  /** The card of a person at this point (spec §2). */
  | {
      readonly kind: "userCard";
      readonly userId: number;
      readonly x: number;
      readonly y: number;
      /** Where the person was found. */
      readonly source?: RequestSource | undefined;
    }
  /** The quick switcher to chats, people, messages and commands. */
  | { readonly kind: "switcher" }
  | { readonly kind: "addFriend" }
  /** A friend request to this person, with a remark. */
  | {
      readonly kind: "applyFriend";
      readonly userId: number;
      readonly name: string;
      readonly source?: RequestSource | undefined;
    }
  /** The card of this friend for other people and groups. */
  | { readonly kind: "recommend"; readonly userId: number; readonly name: string }
  | { readonly kind: "confirmBlock"; readonly userId: number; readonly name: string }
  /** A report of abuse to the administrators. `name`: the person, or the sender of the message. */
  | { readonly kind: "report"; readonly thing: ReportedThing; readonly name: string }
  | GroupDialogRequest
  /** One's own profile settings (spec §2). */
  | { readonly kind: "profile" }
  | { readonly kind: "closeAccount" }
  /** The chat that gets what another app has shared. */
  | { readonly kind: "share" }
  /** The part of a screenshot that goes to this chat. */
  | { readonly kind: "screenshot"; readonly chatKey: ChatKey; readonly picture: Blob }
  /** The entries of the popup menu (spec §2) that can also be opened elsewhere. */
  | { readonly kind: "broadcast" }
  | { readonly kind: "otherSettings" }
  /** The dialog of a command, which nothing else opens. */
  | { readonly kind: "command"; readonly Dialog: ComponentType<{ onClose: () => void }> };

/** A person or a message that is reported. */
export type ReportedThing =
  | { readonly userId: number }
  | { readonly privateMessageId: number }
  | { readonly groupMessageId: number };

/** Dialogs about groups. The caller checks whether the action is permitted. */
export type GroupDialogRequest =
  | { readonly kind: "createGroup" }
  /** By number or by search; `number` is looked up at once. */
  | { readonly kind: "joinGroup"; readonly number?: number }
  /** Selects members, or friends to invite. */
  | { readonly kind: "pickMembers"; readonly groupId: number; readonly action: MemberPickerAction }
  /** Selects members to call, or to invite to the call of the group in which I am. */
  | { readonly kind: "callMembers"; readonly groupId: number; readonly how: "start" | "invite" }
  | { readonly kind: "removeMember"; readonly groupId: number; readonly userId: number }
  | { readonly kind: "transferGroup"; readonly groupId: number; readonly userId: number }
  | { readonly kind: "leaveGroup"; readonly groupId: number; readonly how: "quit" | "dissolve" }
  | { readonly kind: "groupNotice"; readonly groupId: number };

/** The action for which members are selected. */
export type MemberPickerAction = "invite" | "remove" | "managers" | "mute" | "transfer";

const useStore = create<{ readonly request: DialogRequest | null }>(() => ({ request: null }));

/** Opens a dialog; it replaces the open one. */
export function openDialog(request: DialogRequest): void {
  useStore.setState({ request });
}

/** Closes the open dialog. */
export function closeDialog(): void {
  useStore.setState({ request: null });
}

/** The requested dialog, for code outside components. */
export function currentDialogRequest(): DialogRequest | null {
  return useStore.getState().request;
}

/** The requested dialog, for the component that shows dialogs. */
export function useDialogRequest(): DialogRequest | null {
  return useStore(({ request }) => request);
}

/** Opens the card of a person beside the pressed control. `source`: where the person was found. */
export function openUserCard(userId: number, control: Element, source?: RequestSource): void {
  const box = control.getBoundingClientRect();
  openDialog({ kind: "userCard", userId, x: Math.round(box.right + 8), y: Math.round(box.top), source });
}

/** A picture to look at over the whole page. */
export interface OpenPicture {
  /** Absolute. */
  readonly url: string;
  /** Shown until the picture is loaded. */
  readonly thumbUrl: string | null;
  /** The name of the person or thing in the picture, and of the downloaded file. */
  readonly name: string;
}

const usePictureStore = create<{ readonly picture: OpenPicture | null }>(() => ({ picture: null }));

/** Opens a picture over everything that is on the page, such as the avatar on a card. */
export function openPicture(url: string, name: string, thumbUrl: string | null = null): void {
  usePictureStore.setState({ picture: { url, name, thumbUrl } });
}

/** Closes the open picture. */
export function closePicture(): void {
  usePictureStore.setState({ picture: null });
}

/** The picture to show, for the component that shows it. */
export function useOpenPicture(): OpenPicture | null {
  return usePictureStore(({ picture }) => picture);
}

/** Whether a dialog covers the page. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role$="dialog"][aria-modal], [role$="dialog"][data-state="open"]') !== null;
}
