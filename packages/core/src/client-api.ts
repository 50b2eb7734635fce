/** What a user interface calls. Each action is described beside the service that carries it out. `createClient` in `client.ts` creates a client. */
import type { WebPushActions } from "./alerts/web-push.ts";
import type { BroadcastActions } from "./broadcast/broadcast-service.ts";
import type { CallActions } from "./call-actions.ts";
import type { ChatListActions } from "./chats/chat-list-actions.ts";
import type { DeletionActions } from "./chats/deletions.ts";
import type { DraftActions } from "./chats/draft-actions.ts";
import type { DraftFileActions } from "./chats/draft-files.ts";
import type { StorageActions } from "./chats/eviction.ts";
import type { HistoryActions } from "./chats/history.ts";
import type { MessageActions } from "./chats/message-actions.ts";
import type { OutboxActions } from "./chats/outbox.ts";
import type { ExtraActActions } from "./chats/extra-acts.ts";
import type { PinActions } from "./chats/pins.ts";
import type { ChatPrefActions } from "./chats/chat-prefs.ts";
import type { SavedActions } from "./chats/saved-messages.ts";
import type { ReadActions } from "./chats/read-positions.ts";
import type { SendActions } from "./chats/send-actions.ts";
import type { TypingActions } from "./chats/typing.ts";
import type { Api } from "./connection/api.ts";
import type { ServerCheck } from "./connection/server-address.ts";
import type { ContactActions } from "./contacts/contact-actions.ts";
import type { GroupActions } from "./groups/group-actions.ts";
import type { State } from "./model/state.ts";
import type { Notice } from "./notice.ts";
import type { SearchActions } from "./search/message-search.ts";
import type { AccountActions } from "./session/account-actions.ts";
import type { LoginActions } from "./session/session-service.ts";

/** A client: state, subscription, notices and actions. */
export interface Client extends SignedInActions {
  getState(): State;
  /** Calls the listener once after each batch of changes. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
  /** Events to show once: failed calls as error toasts (spec §8), a lost connection, new messages. */
  onNotice(listener: (notice: Notice) => void): () => void;

  readonly session: SessionActions;
  /** Calls endpoints of the server, for screens that show its answers and keep no state of them, such as those of administrators. */
  readonly api: Api;
  /** Absolute URL of a file of the current server (`/files/...` is relative to it). */
  fileUrl(path: string): string;
  /** Stops everything; for tests and for pages that are closed. */
  close(): void;
}

/** The actions of the person signed in. While nobody is, they change nothing and fail. */
export interface SignedInActions {
  readonly account: AccountActions;
  readonly chats: ChatActions;
  readonly contacts: ContactActions;
  readonly groups: GroupActions;
  readonly broadcast: BroadcastActions;
  readonly calls: CallActions;
  readonly storage: StorageActions;
  readonly webPush: WebPushActions;
}

/** Everything that can be done in chats. */
export type ChatActions = HistoryActions &
  SendActions &
  OutboxActions &
  DraftActions &
  DraftFileActions &
  MessageActions &
  DeletionActions &
  ExtraActActions &
  PinActions &
  ChatPrefActions &
  SavedActions &
  ReadActions &
  TypingActions &
  ChatListActions &
  SearchActions;

/** Login, logout and the connection. */
export interface SessionActions extends LoginActions {
  /** Reconnects at once instead of after 15 s. */
  reconnectNow(): void;
  /** Asks the server in use over HTTP whether it is there. */
  checkServer(): Promise<ServerCheck>;
  /** How many ms the socket takes to answer a heartbeat, after connecting it if need be; null: no answer within 10 s. */
  checkSocket(): Promise<number | null>;
}
