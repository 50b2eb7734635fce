import type { EndedCall } from "./call-actions.ts";
import type { BroadcastCounts } from "./model/broadcast/broadcast.ts";
import type { ReactionNotice } from "./model/chats/reaction-notices.ts";
import type { ChatKey, ChatMessage, Failure } from "./model/state.ts";

/** An event to show once. */
export type Notice =
  | { readonly kind: "failure"; readonly failure: Failure }
  /** The socket closed and will reconnect. Once per loss, not per attempt. */
  | { readonly kind: "connectionLost" }
  | { readonly kind: "storageRefused" }
  /** A chosen file does not fit into the storage of the browser: a reload loses it. */
  | { readonly kind: "fileNotStored" }
  /** The person wanted their password to be remembered, and this device could not encrypt it. They are signed in all the same. */
  | { readonly kind: "passwordNotKept" }
  /**
   * A pushed message raised the unread count of a chat that is not muted; raised in every tab. The user interface decides whether to show
   * a system notification (interface §16).
   */
  | { readonly kind: "message"; readonly key: ChatKey; readonly message: ChatMessage }
  /** Somebody has reacted to a message of mine, in a chat that is not muted; raised in every tab. */
  | ({ readonly kind: "reaction"; readonly key: ChatKey } & ReactionNotice)
  /** A broadcast has ended, in the tab that has sent it. Not raised when the person has cancelled it. */
  | { readonly kind: "broadcastEnded"; readonly counts: BroadcastCounts }
  /** The code of calls could not be loaded; the next attempt tries again. */
  | { readonly kind: "callsNotLoaded" }
  /** A call has ended in this tab, not by the person alone. */
  | { readonly kind: "callEnded"; readonly call: EndedCall }
  /** Somebody is no longer in the call of the group, which goes on. */
  | {
      readonly kind: "callPersonLeft";
      readonly groupId: number;
      /** With their names in the call; empty if it was not told. */
      readonly people: readonly { readonly userId: number; readonly nickName: string }[];
      readonly why: "quit" | "rejected" | "failed";
      /** In words of the server or of another client; empty if nothing was said. */
      readonly reason: string;
    }
  /** Somebody sent a nudge in this chat, which is not muted. Raised in addition to `message`. */
  | { readonly kind: "nudge"; readonly key: ChatKey };
