/** The interface of the core for user interfaces. `createClient` in `client.ts` creates one. */
import type { WebPushActions } from "./alerts/web-push.ts";
import type { CallActions, EndedCall } from "./call-actions.ts";
import type { Api } from "./connection/api.ts";
import type { IceServer } from "./call-ports.ts";
import type { FindableBy, JoinMode, MessageType, RequestSource } from "@parley/protocol/codes";
import type { AnswerOf } from "@parley/protocol/endpoint";
import type { systemContent } from "@parley/protocol/endpoints/messages";
import type {
  FriendRequestVO,
  GroupCard,
  GroupVO,
  ImageUpload,
  SessionVO,
  TokenPair,
  UserInfo,
} from "@parley/protocol/entities";
import type { KINDS } from "@parley/protocol/message";
import type { BroadcastAttachment, BroadcastCounts } from "./model/broadcast/broadcast.ts";
import type { AttachmentProblem } from "./model/broadcast/broadcast-draft.ts";
import type { JumpTarget } from "./model/chats/message-page.ts";
import type { DiskLimit } from "./model/disk-limit.ts";
import type { RegisterForm } from "./model/forms/form-rules.ts";
import type { LoginForm } from "./model/forms/login-rules.ts";
import type { ProfileChanges } from "./model/forms/profile-rules.ts";
import type {
  ChatKey,
  ChatMessage,
  DraftEdit,
  DraftMention,
  Failure,
  PendingUpload,
  Result,
  State,
} from "./model/state.ts";
import type { FileData } from "./ports.ts";

/** A client: state, subscription, notices and actions. */
export interface Client {
  getState(): State;
  /** Calls the listener once after each batch of changes. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
  /** Events to show once: failed calls as error toasts (spec §8), a lost connection, new messages. */
  onNotice(listener: (notice: Notice) => void): () => void;

  readonly session: SessionActions;
  readonly chats: ChatActions;
  readonly contacts: ContactActions;
  readonly groups: GroupActions;
  readonly broadcast: BroadcastActions;
  readonly calls: CallActions;
  readonly storage: StorageActions;
  readonly webPush: WebPushActions;
  /** Calls endpoints of the server, for screens that show its answers and keep no state of them, such as those of administrators. */
  readonly api: Api;
  /** Absolute URL of a file of the current server (`/files/...` is relative to it). */
  fileUrl(path: string): string;
  /** Stops everything; for tests and for pages that are closed. */
  close(): void;
}

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

/** The text of a notice of the system chat. */
export type NoticeBody = AnswerOf<typeof systemContent>;

/** An account that this browser remembers. */
export interface SavedAccount {
  readonly userId: number;
  readonly userName: string;
  readonly nickName: string;
  readonly headImageThumb: string | null;
  readonly hasPassword: boolean;
}

/** Whether the server is there, how many ms its answer took, and by how many ms this device's clock is ahead of its own (null: unknown). */
export type ServerCheck =
  | { readonly kind: "ok"; readonly answerMs: number; readonly clockMs: number | null }
  /** Nothing answers; or something else than a Parley server does. */
  | { readonly kind: "noAnswer" | "notParley" };

/** Login, logout and everything about one's own account. */
export interface SessionActions {
  /** At start: continues this tab's session, or logs in with a remembered password (in a new tab, without an explicit logout before). */
  resume(): Promise<void>;
  /**
   * Stays signed out on failure. The caller shows the failure; no toast is raised. `given`: tokens that the server has answered to another
   * call just now, so that it is not asked for them.
   */
  login(form: LoginForm, given?: TokenPair): Promise<Result<null>>;
  /** Registers, then logs in (spec §4). `loggedIn` false: registered, but the automatic login failed. */
  register(form: RegisterForm): Promise<Result<{ loggedIn: boolean }>>;
  /** Uploads the picture of a new account or of a group. */
  uploadAvatar(file: FileData, name: string): Promise<Result<ImageUpload>>;
  /** An explicit logout: there is no automatic login until the person logs in again. */
  logout(): Promise<void>;
  /**
   * A logout that also removes what this device stores of the person: chats, drafts, unsent messages, the saved account and its password.
   * Resolves with false if the browser refused to delete it.
   */
  logoutAndRemoveData(): Promise<boolean>;
  /** Ends the session in this tab without a logout, like closing the tab: the socket is closed with 3000 (spec §2). */
  closeApp(): void;
  /** The person has read why the session ended. */
  acknowledgeEnd(): void;
  loadDisplaySettings(): Promise<void>;

  savedAccounts(): readonly SavedAccount[];
  /** The options of the last login in this browser, as defaults of the form. */
  savedLoginOptions(): Pick<LoginForm, "rememberName" | "rememberPassword">;
  forgetAccount(userName: string): void;
  /** The remembered password in clear text, to fill in the form; null for none. */
  savedPassword(userName: string): Promise<string | null>;
  /** Whether this browser can store a password encrypted (not on plain http). */
  readonly canRememberPassword: boolean;

  /** The origin that the person has entered; empty: the page's own. */
  customServer(): string;
  /** Probes `<origin>/api/globalSetting/load`, then without `/api`, and stores the origin if it answers. Empty: back to the page's own. */
  setCustomServer(
    origin: string,
  ): Promise<
    Result<null> | { ok: false; problem: "notAnAddress" | "noAnswer" | "notParley" | "plainFromSecure" }
  >;

  /** Reconnects at once instead of after 15 s. */
  reconnectNow(): void;
  /** Asks the server in use over HTTP whether it is there. */
  checkServer(): Promise<ServerCheck>;
  /** How many ms the socket takes to answer a heartbeat, after connecting it if need be; null: no answer within 10 s. */
  checkSocket(): Promise<number | null>;
  /** The servers for calls, with credentials that were just made; null: the server does not say. */
  loadIceServers(): Promise<readonly IceServer[] | null>;
  changePassword(oldPassword: string, newPassword: string): Promise<Result<null>>;
  /** All sessions of this person. */
  sessions(): Promise<Result<readonly SessionVO[]>>;
  /** Ends one session; null: all except this one. */
  endSession(id: string | null): Promise<Result<null>>;
  /**
   * Deletes the account for good, signs out and removes what this device stores of it. The caller shows a failure, such as a wrong
   * password.
   */
  unregister(password: string): Promise<Result<null>>;
}

/** Where a chat opens while it has unread messages. */
export type OpeningPosition = "firstUnread" | "newest";

/** Everything that can be done in chats. */
export interface ChatActions {
  /**
   * Makes it the open chat; creates an empty one if it is new. Its first page comes from the local database, then from the server; it is
   * around the first unread message unless the chat is to open at its newest messages.
   */
  open(key: ChatKey, at?: OpeningPosition): void;
  closeOpen(): void;
  /**
   * Shows a local echo at once; the outbox sends the message, also after a reload. Includes the draft's quote and clears it. Blank text
   * does nothing. In groups it mentions the users in `options`, else those of the draft's mentions that are still in the text.
   */
  sendText(key: ChatKey, text: string, options?: SendOptions): void;
  /** Sends a location (88), a nudge (92, content "") or a business card (93); the content is a JSON string. The draft's quote stays. */
  sendContent(key: ChatKey, type: SendableType, content: string): void;
  /**
   * Sends files, one message each, in this order, behind what was sent before in this chat. Each is shown at once and uploaded first. A
   * failed one can be sent again with `resend` while the page lives; `discard` cancels it.
   */
  sendFiles(key: ChatKey, files: readonly OutgoingFile[]): void;
  /**
   * The file of a message that this page sends, or has sent lately, to show it without loading it from the server; undefined for others,
   * and after a reload.
   */
  localFile(tmpId: string): LocalFile | undefined;
  /** Sends a failed message again. A file that is lost (`fileLost`) cannot be sent again. */
  resend(key: ChatKey, tmpId: string): void;
  /** Discards a message that has failed or is being uploaded. A message that is being sent stays, because it may arrive. */
  discard(key: ChatKey, tmpId: string): void;
  /** Adds files to the draft, behind those that it has. It has at most 20; the others are left out. */
  addDraftFiles(key: ChatKey, files: readonly OutgoingFile[]): void;
  removeDraftFile(key: ChatKey, id: string): void;
  /** Moves a file of the draft to a place, counted without it. */
  moveDraftFile(key: ChatKey, id: string, index: number): void;
  /** The file of a draft; null if this device has lost it. */
  draftFile(key: ChatKey, id: string): Promise<FileData | null>;
  /** Sends the files of the draft, in their order, and removes them from the draft. */
  sendDraftFiles(key: ChatKey): void;
  /** Extends the window by older messages. */
  loadOlder(key: ChatKey): void;
  /** Extends a window that ends below the newest message by newer messages. */
  loadNewer(key: ChatKey): void;
  /** Moves the window to the newest messages. */
  showNewest(key: ChatKey): void;
  /**
   * Opens the chat and moves the window to a message or a time. Resolves with the id to show, which is in the window then: that message, or
   * its neighbour if it was deleted; for a time the first message from then on, else the last one. null: it could not be loaded.
   */
  jumpTo(key: ChatKey, to: JumpTarget): Promise<number | null>;
  /** Searches messages, newest first. Asks the server; without a connection, searches the local database. */
  search(query: SearchQuery): Promise<Result<SearchPage>>;
  /**
   * Messages of a chat with pictures and videos, files, or links: newest first, page by page. `next`: that of the previous page, null for
   * the first. Asks the server; without a connection, the local database.
   */
  listMedia(key: ChatKey, kind: MediaKind, next: string | null): Promise<Result<SearchPage>>;
  /** A voice message was played on this device (`isUnheard` of `model/chats/played-voices`). */
  markPlayed(key: ChatKey, id: number): void;
  /**
   * The days that have messages, of those that begin at `starts` (epoch ms, ascending; the last entry is the end of the last day, at most
   * 31 days). Asks the server; without a connection, the local database.
   */
  daysWithMessages(key: ChatKey, starts: readonly number[]): Promise<Result<readonly number[]>>;
  /** The person has seen everything up to this message (id; system chat: seqNo). Reported to the server at most every 500 ms. */
  markReadUpTo(key: ChatKey, upTo: number): void;
  /** Saves the draft and sends it to other tabs. Without `mentions`, those that are still in the text stay. */
  setDraft(key: ChatKey, text: string, mentions?: readonly DraftMention[]): void;
  /**
   * Saves an unsent edit of one's own message beside the draft, and sends it to other tabs; null: cancelled or sent. It is dropped when its
   * message is deleted.
   */
  setDraftEdit(key: ChatKey, edit: DraftEdit | null): void;
  /** The oldest unread message that mentions me; reading past it removes it. null for none. */
  nextMention(key: ChatKey): number | null;
  /** Sets the quote of the draft: a message of the window; null for none. Saved and sent to other tabs with the draft. */
  setQuote(key: ChatKey, id: number | null): void;
  /** Edits one's own text message. The new text is shown when the server has accepted it. The caller shows a failure. */
  editText(key: ChatKey, id: number, text: string): Promise<Result<null>>;
  /** Recalls one's own message, or as an admin a member's. The caller shows a failure. */
  recall(key: ChatKey, id: number): Promise<Result<null>>;
  /** The text of one's own message that was recalled here in the last 5 minutes, for "edit again"; null: too old, or not a text. */
  recalledText(key: ChatKey, id: number): string | null;
  /** Gives the draft the quote of that recalled message, unless the draft has a quote. */
  restoreQuote(key: ChatKey, id: number): void;
  /** Deletes messages for oneself on all of one's devices. They are hidden at once, and come back if the server refuses. */
  deleteForMe(key: ChatKey, ids: readonly number[]): Promise<Result<null>>;
  /** Sends copies in the order of ids to each chat. Kinds that cannot be forwarded are left out; fails if none remain. */
  forward(from: ChatKey, ids: readonly number[], to: readonly ChatKey[]): Promise<Result<null>>;
  /** Pins a chat. Shown at once, and undone if the server refuses. The caller shows a failure. */
  setTop(key: ChatKey, isTop: boolean): Promise<Result<null>>;
  /** Sets the alert level. Private chats: 1 all, 0 none. Shown at once, and undone if the server refuses. */
  setAlerts(key: ChatKey, msgRemind: number): Promise<Result<null>>;
  /** Sets the person's own unread mark. */
  markUnread(key: ChatKey): void;
  /** Marks the chat as read up to its newest message, and removes the unread mark. */
  markRead(key: ChatKey): void;
  /** Removes the chat from the list, marks it as read and drops its draft. Opening it or its next message brings it back. */
  remove(key: ChatKey): void;
  /** Clears the history of all chats on all of one's devices. The caller shows a failure. */
  clearHistory(): Promise<Result<null>>;
  /** Loads the text of a notice by its message id. */
  loadNotice(id: number): Promise<Result<NoticeBody>>;
}

/** The broadcast tool: `State.broadcast` shows its draft and its progress (spec §5). */
export interface BroadcastActions {
  /** Selects these friends and no others, in this order. */
  select(userIds: readonly number[]): void;
  setText(text: string): void;
  /** Adds files to the draft and uploads them at once. Returns what is wrong with those that were not added. */
  attach(files: readonly BroadcastFile[]): readonly AttachmentProblem[];
  /** Uploads an attachment again that has failed. */
  retryAttachment(id: string): void;
  /** Removes an attachment, and aborts its upload. */
  removeAttachment(id: string): void;
  /** The file of an attachment, to show it. */
  attachedFile(id: string): FileData | undefined;
  /**
   * Sends the draft and empties it: the text to each friend first, then each attachment. Does nothing if the draft cannot be sent
   * (`canSendDraft`) or a broadcast is being sent. It goes on in the background, also after a reload.
   */
  send(): void;
  /** Stops sending. What is not sent yet stays unsent. */
  cancel(): void;
  /** Sends the missing parts to the recipients for whom sending failed. */
  retryFailed(): void;
  /** Puts an ended broadcast away. */
  dismiss(): void;
}

/** A file that the person has chosen for a broadcast. */
export interface BroadcastFile extends Pick<BroadcastAttachment, "type" | "name" | "mimeType"> {
  readonly file: FileData;
}

/** A file that a person sends. */
export interface OutgoingFile extends PendingUpload {
  readonly type:
    | typeof MessageType.IMAGE
    | typeof MessageType.FILE
    | typeof MessageType.AUDIO
    | typeof MessageType.VIDEO;
  readonly file: FileData;
  /** The first frame of a video, as a picture; null for others. */
  readonly cover: FileData | null;
}

/** The file of a message in the memory of this page. */
export type LocalFile = Pick<OutgoingFile, "file" | "cover">;

/** What the side panel of a chat lists. */
export type MediaKind = "pictures" | "files" | "links";

/** Options of a text message. */
export interface SendOptions {
  readonly mentions?: readonly DraftMention[];
  /** Groups: ask for read receipts. */
  readonly receipt?: boolean;
}

/** What to search for. */
export interface SearchQuery {
  /** A message must contain every part of it (`protocol/search-text`). Empty, with `key` and `kind`: every such message. */
  readonly text: string;
  readonly key?: ChatKey;
  readonly sendId?: number;
  /** Only messages with these. With `links`, `total` counts a message with two kinds of links twice. */
  readonly kind?: MediaKind;
  readonly types?: readonly number[];
  /** Epoch ms, both inclusive. */
  readonly from?: number;
  readonly to?: number;
  /** `next` of the previous page. */
  readonly next?: string;
}

/** One page of search results. */
export interface SearchPage {
  readonly hits: readonly FoundMessage[];
  /** The number of hits on all pages, at most 1,000. */
  readonly total: number;
  readonly next: string | null;
}

/** A search result. */
export interface FoundMessage {
  readonly key: ChatKey;
  readonly message: ChatMessage;
}

type Kinds = typeof KINDS;

/** Message types that `sendContent` accepts: those that this server lets clients send, except texts and their edits. */
export type SendableType = {
  [Type in keyof Kinds]: Kinds[Type] extends { sendable: true; shown: true; content: "json" | "empty" }
    ? Kinds[Type] extends { fileFields: readonly string[] }
      ? never
      : Type
    : never;
}[keyof Kinds];

/** The messages that this browser keeps for the person signed in, so that chats open at once and without a network. */
export interface StorageActions {
  /** How many there are, and about how many bytes they take; null: the browser stores nothing. */
  usage(): Promise<StorageUsage | null>;
  /**
   * Removes those that the server has as well: unsent messages, drafts and the system chat stay, and chats load from the server again.
   * False: the browser refused.
   */
  clear(): Promise<boolean>;
  /** The limit in bytes. */
  limit(): DiskLimit;
  /** Saves the limit and removes what exceeds it. */
  setLimit(bytes: DiskLimit): Promise<void>;
}

/** What the local database holds. */
export interface StorageUsage {
  readonly chats: number;
  readonly messages: number;
  readonly bytes: number;
}

/** The result of a request: status 1 is pending, 2 is approved at once. */
export type RequestOutcome = Pick<FriendRequestVO, "status">;

/** Friends, friend requests, blocked people, and one's own profile. */
export interface ContactActions {
  /** Loads friends, requests and blocked people again. */
  reload(): Promise<Result<null>>;
  /** Finds at most 20 people by name (spec §9). */
  search(name: string): Promise<Result<readonly UserInfo[]>>;
  /** Loads what the server says about a person now. A failure is reported only for somebody unknown, of whom there is nothing to show. */
  loadUser(id: number): Promise<Result<UserInfo>>;
  /** Sends a friend request. `source`: where the person was found. */
  apply(userId: number, remark: string, source?: RequestSource): Promise<Result<RequestOutcome>>;
  approve(requestId: number): Promise<Result<null>>;
  reject(requestId: number): Promise<Result<null>>;
  recall(requestId: number): Promise<Result<null>>;
  remove(userId: number): Promise<Result<null>>;
  setRemark(userId: number, remark: string): Promise<Result<null>>;
  /** Blocks a person, who can then neither write to me nor send me friend requests. */
  block(userId: number): Promise<Result<null>>;
  unblock(userId: number): Promise<Result<null>>;
  /** Changes fields of one's own profile. The caller shows a failure. */
  updateProfile(changes: ProfileChanges): Promise<Result<null>>;
  /** Sets whether people need my approval to become friends. The caller shows a failure. */
  setManualApprove(isOn: boolean): Promise<Result<null>>;
  /** Sets by what the search for people finds me. The caller shows a failure. */
  setFindableBy(by: FindableBy): Promise<Result<null>>;
}

/**
 * Everything that can be done with groups. Changes are shown when the server has accepted them; the pushes that follow change nothing more.
 * A failed call also raises a toast, unless its comment says otherwise.
 */
export interface GroupActions {
  /** Loads the groups again. No toast. */
  reload(): Promise<Result<null>>;
  /** Creates a group. Members must be friends. The new group is in the state when this resolves. */
  create(form: NewGroup): Promise<Result<GroupVO>>;
  /** Changes a group. Only changed fields are sent, so that a stale field does not make the server refuse the call. */
  modify(id: number, part: GroupEdit): Promise<Result<null>>;
  setRights(id: number, part: GroupRights): Promise<Result<null>>;
  /**
   * Invites friends. If I am neither owner nor admin, this creates requests where joining needs approval, and for those who were removed; they are
   * in the state when this resolves.
   */
  invite(id: number, friendIds: readonly number[]): Promise<Result<null>>;
  /** Asks to join a group. Status 2: joined at once. The caller shows a failure. */
  apply(id: number, remark: string): Promise<Result<RequestOutcome>>;
  approve(requestId: number): Promise<Result<null>>;
  reject(requestId: number): Promise<Result<null>>;
  /** Loads a group: all fields for a current or former member, else the card of a group that can be found. The caller shows a failure. */
  find(id: number): Promise<Result<GroupVO | GroupCard>>;
  /** Finds at most 20 groups that can be found, or that I was in, by id or by a part of the name. The caller shows a failure. */
  search(name: string): Promise<Result<readonly GroupCard[]>>;
  /** Loads the members into the state, again if they are loaded already. No toast. */
  loadMembers(id: number): Promise<Result<null>>;
  removeMembers(id: number, userIds: readonly number[], deleteMessages: boolean): Promise<Result<null>>;
  setMuted(id: number, userIds: readonly number[], isMuted: boolean): Promise<Result<null>>;
  /** Mutes the whole group: only the owner may write. */
  setAllMuted(id: number, isMuted: boolean): Promise<Result<null>>;
  setManagers(id: number, userIds: readonly number[], isManager: boolean): Promise<Result<null>>;
  transfer(id: number, userId: number): Promise<Result<null>>;
  quit(id: number): Promise<Result<null>>;
  dissolve(id: number): Promise<Result<null>>;
  /** Records on this device that the current notice was read. */
  readNotice(id: number): void;
  /** User ids of the recipients of a message who have read it, or have not. */
  readers(id: number, messageId: number, who?: "read" | "unread"): Promise<Result<readonly number[]>>;
}

/** The fields of a new group. */
export interface NewGroup {
  readonly name: string;
  readonly memberIds: readonly number[];
  readonly headImage?: string | null;
  readonly headImageThumb?: string | null;
  /** Without it, what the server says (`config.group`). */
  readonly joinMode?: JoinMode;
  readonly isFindable?: boolean;
}

/** Changed fields of a group. Fields that are left out stay; null removes a value. */
export interface GroupEdit {
  readonly name?: string;
  readonly headImage?: string | null;
  readonly headImageThumb?: string | null;
  readonly notice?: string | null;
  readonly remarkGroupName?: string | null;
  readonly remarkNickName?: string | null;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Who may invite, edit the group and edit its attributes: 1 everyone, 2 admins. How people join, and whether they find the group. */
export interface GroupRights {
  readonly inviteRole?: 1 | 2;
  readonly editRole?: 1 | 2;
  readonly attrRole?: 1 | 2;
  readonly joinMode?: JoinMode;
  readonly isFindable?: boolean;
}
