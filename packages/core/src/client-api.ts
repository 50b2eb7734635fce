/** What a face may ask of the core. `createClient` in `client.ts` makes one. */
import type { MessageType, RequestSource } from "@parley/protocol/codes";
import type { AnswerOf } from "@parley/protocol/endpoint";
import type { systemContent } from "@parley/protocol/endpoints/messages";
import type {
  FriendRequestVO,
  GroupCard,
  GroupVO,
  ImageUpload,
  SessionVO,
  UserInfo,
} from "@parley/protocol/entities";
import type { LoginForm, RegisterForm } from "./model/forms/form-rules.ts";
import type { ChatKey, ChatMessage, DraftEdit, DraftMention, Failure, Result, State } from "./model/state.ts";
import type { FileData } from "./ports.ts";

export interface Client {
  getState(): State;
  /** Called once after each batch of changes. Answers a function that ends it. */
  subscribe(listener: () => void): () => void;
  /** Things to say once: error toasts of calls that failed (spec §8), a lost connection. */
  onNotice(listener: (notice: Notice) => void): () => void;

  readonly session: SessionActions;
  readonly chats: ChatActions;
  readonly contacts: ContactActions;
  readonly groups: GroupActions;
  /** Absolute url of a file of the server in use (`/files/...` is relative to it). */
  fileUrl(path: string): string;
  /** Stops everything; for tests and for pages that go away. */
  close(): void;
}

export type Notice =
  | { readonly kind: "failure"; readonly failure: Failure }
  /** The socket closed; the next try follows. Once per loss, not per try. */
  | { readonly kind: "connectionLost" }
  | { readonly kind: "storageRefused" }
  /**
   * A message came live that raised the unread count of a chat which is not silenced; told in every tab. Whether it is shown to somebody
   * who looks elsewhere is the face's matter (interface §16).
   */
  | { readonly kind: "message"; readonly key: ChatKey; readonly message: ChatMessage }
  /** Somebody shook this chat's window just now; not for silenced chats. Comes beside the `message`. */
  | { readonly kind: "nudge"; readonly key: ChatKey };

/** The body of a notice of the system chat. */
export type NoticeBody = AnswerOf<typeof systemContent>;

/** An account this browser remembers. */
export interface SavedAccount {
  readonly userName: string;
  readonly nickName: string;
  readonly headImageThumb: string | null;
  readonly hasPassword: boolean;
}

export interface SessionActions {
  /** At start: continues this tab's session, or logs in by itself with a remembered password (new tab, no explicit logout). */
  resume(): Promise<void>;
  /** Stays signed out on failure; the caller shows the failure, no toast is raised. */
  login(form: LoginForm): Promise<Result<null>>;
  /** Registers, then logs in (spec §4). `loggedIn` false: registered, but the automatic login failed. */
  register(form: RegisterForm): Promise<Result<{ loggedIn: boolean }>>;
  /** A small picture: of a new account, or of a group. */
  uploadAvatar(file: FileData, name: string): Promise<Result<ImageUpload>>;
  /** Explicit: no automatic login until the button is pressed again. */
  logout(): Promise<void>;
  /** The person has read why the session ended. */
  acknowledgeEnd(): void;
  loadDisplaySettings(): Promise<void>;

  savedAccounts(): readonly SavedAccount[];
  /** What was ticked at the last login in this browser: the form begins with it. */
  savedLoginOptions(): Pick<LoginForm, "rememberName" | "rememberPassword">;
  forgetAccount(userName: string): void;
  /** The remembered password in clear, to fill the form; null when none. */
  savedPassword(userName: string): Promise<string | null>;
  /** Whether this browser can keep a password sealed (not on plain http). */
  readonly canRememberPassword: boolean;

  /** Origin typed by the person; empty: the page's own. */
  customServer(): string;
  /** Probes `<origin>/api/globalSetting/load`, then without `/api`; keeps it when it answers. Empty text goes back to the page's own. */
  setCustomServer(
    origin: string,
  ): Promise<
    Result<null> | { ok: false; problem: "notAnAddress" | "noAnswer" | "notParley" | "plainFromSecure" }
  >;

  /** Tries at once instead of waiting for the 15 s to pass. */
  reconnectNow(): void;
  changePassword(oldPassword: string, newPassword: string): Promise<Result<null>>;
  /** Where this person is logged in. */
  sessions(): Promise<Result<readonly SessionVO[]>>;
  /** Ends one login; null: all but this one. */
  endSession(id: string | null): Promise<Result<null>>;
  /** Closes the account for good and signs out; the account is no longer remembered. */
  unregister(): Promise<Result<null>>;
}

export interface ChatActions {
  /** Makes it the chat shown; creates an empty one when new. Its first page comes from disk, then from the server. */
  open(key: ChatKey): void;
  closeOpen(): void;
  /**
   * Own echo at once; sending goes on by itself, also after a reload. Takes the draft's quote along and clears it. Blank text does nothing.
   * In groups it names whom `how` names, else those of the draft's mentions that still stand in the text.
   */
  sendText(key: ChatKey, text: string, how?: SendOptions): void;
  /** Likewise a location (88), a shake (92, content "") or a business card (93); the content is a JSON string. The quote stays. */
  sendContent(key: ChatKey, type: SendableType, content: string): void;
  resend(key: ChatKey, tmpId: string): void;
  /** Throws a message away that was never sent. */
  discard(key: ChatKey, tmpId: string): void;
  loadOlder(key: ChatKey): void;
  /** The same downwards, where the window ends below the newest message. */
  loadNewer(key: ChatKey): void;
  /** Back to the newest messages. */
  showNewest(key: ChatKey): void;
  /**
   * Opens the chat where a message or a moment is. Answers the id to show, which the window then holds: the message, its neighbour when it
   * is gone, for a time the first one from then on, else the last one. null: it could not be loaded.
   */
  jumpTo(key: ChatKey, to: JumpTarget): Promise<number | null>;
  /** Newest first. Asks the server; without it, what this device keeps. */
  search(query: SearchQuery): Promise<Result<SearchPage>>;
  /**
   * Of days that begin at these times (epoch ms, ascending; the last one is where the last day ends, at most 31 days): those with a
   * message. Asks the server; without it, what this device keeps.
   */
  daysWithMessages(key: ChatKey, starts: readonly number[]): Promise<Result<readonly number[]>>;
  /** Seen up to this message (id; system chat: seqNo). Reported to the server at most every 500 ms. */
  markReadUpTo(key: ChatKey, upTo: number): void;
  /** Kept and told to other tabs. Without `mentions` those that still stand in the text stay. */
  setDraft(key: ChatKey, text: string, mentions?: readonly DraftMention[]): void;
  /**
   * An edit of one's own message that is not sent yet; null: given up, or done. Kept and told to other tabs beside the draft, and gone with
   * the message.
   */
  setDraftEdit(key: ChatKey, edit: DraftEdit | null): void;
  /** The oldest unseen message that names me; reading past it takes it away. null: there is none. */
  nextMention(key: ChatKey): number | null;
  /** What the draft answers: a message of the window; null: nothing. Kept and told to other tabs beside the text. */
  setQuote(key: ChatKey, id: number | null): void;
  /** Gives one's own text another content. Shown once the server has agreed; the caller shows a failure. */
  editText(key: ChatKey, id: number, text: string): Promise<Result<null>>;
  /** Takes one's own message back, or in a group a member's. The caller shows a failure. */
  recall(key: ChatKey, id: number): Promise<Result<null>>;
  /** The text of one's own message that was recalled here in the last 5 minutes, for "edit again"; null: gone, or never text. */
  recalledText(key: ChatKey, id: number): string | null;
  /** The draft answers again what that recalled message answered, unless it answers something already. */
  restoreQuote(key: ChatKey, id: number): void;
  /** Deletes messages for oneself, at once here and on one's other devices; they come back when the server refuses. */
  deleteForMe(key: ChatKey, ids: readonly number[]): Promise<Result<null>>;
  /** Sends copies, in the order of ids, to each chat; kinds that cannot be forwarded are left out. Fails when nothing is left. */
  forward(from: ChatKey, ids: readonly number[], to: readonly ChatKey[]): Promise<Result<null>>;
  /** At once; taken back when the server refuses. The caller shows a failure. */
  setTop(key: ChatKey, isTop: boolean): Promise<Result<null>>;
  /** Private chats: 1 alerts, 0 is silent. At once; taken back when the server refuses. */
  setAlerts(key: ChatKey, msgRemind: number): Promise<Result<null>>;
  markUnread(key: ChatKey): void;
  /** Up to its newest message; takes the mark away too. */
  markRead(key: ChatKey): void;
  /** Out of the list and read. Its messages stay; opening it or its next message brings it back. Its draft goes. */
  remove(key: ChatKey): void;
  /** Empties all chats, here and on one's other devices. The caller shows a failure. */
  clearHistory(): Promise<Result<null>>;
  /** The body of a notice, by its message id. */
  loadNotice(id: number): Promise<Result<NoticeBody>>;
}

export interface SendOptions {
  readonly mentions?: readonly DraftMention[];
  /** Groups: asks who reads it. */
  readonly receipt?: boolean;
}

export type JumpTarget = { readonly id: number } | { readonly time: number };

export interface SearchQuery {
  /** Every part of it must stand in a message (`protocol/search-text`). */
  readonly text: string;
  readonly key?: ChatKey;
  readonly sendId?: number;
  readonly types?: readonly number[];
  /** Epoch ms, both inclusive. */
  readonly from?: number;
  readonly to?: number;
  /** `next` of the page before. */
  readonly next?: string;
}

export interface SearchPage {
  readonly hits: readonly FoundMessage[];
  /** Of all pages, at most 1,000. */
  readonly total: number;
  readonly next: string | null;
}

export interface FoundMessage {
  readonly key: ChatKey;
  readonly message: ChatMessage;
}

/** What `sendContent` takes. */
export type SendableType =
  | typeof MessageType.LOCATION
  | typeof MessageType.SHAKE
  | typeof MessageType.BUSINESS_CARD;

/** What came of a request: 1 it waits, 2 it was granted at once. */
export type RequestOutcome = Pick<FriendRequestVO, "status">;

export interface ContactActions {
  reload(): Promise<Result<null>>;
  /** At most 20 (spec §9). */
  search(name: string): Promise<Result<readonly UserInfo[]>>;
  loadUser(id: number): Promise<Result<UserInfo>>;
  /** `source`: where the person was found. */
  apply(userId: number, remark: string, source?: RequestSource): Promise<Result<RequestOutcome>>;
  approve(requestId: number): Promise<Result<null>>;
  reject(requestId: number): Promise<Result<null>>;
  recall(requestId: number): Promise<Result<null>>;
  remove(userId: number): Promise<Result<null>>;
  setRemark(userId: number, remark: string): Promise<Result<null>>;
  /** Blocked people can neither write nor ask to be friends. */
  block(userId: number): Promise<Result<null>>;
  unblock(userId: number): Promise<Result<null>>;
  /** Whether people need my approval to become friends. The caller shows a failure. */
  setManualApprove(isOn: boolean): Promise<Result<null>>;
}

/**
 * Calls of groups. What they change is shown when the server has agreed; the pushes that follow change nothing more. A call that fails
 * also raises a toast, unless it says otherwise.
 */
export interface GroupActions {
  /** No toast. */
  reload(): Promise<Result<null>>;
  /** Members must be friends. The new group is in the state when this resolves. */
  create(form: NewGroup): Promise<Result<GroupVO>>;
  /** Only what differs is sent, so that one stale field refuses nothing. */
  modify(id: number, part: GroupEdit): Promise<Result<null>>;
  setRights(id: number, part: GroupRights): Promise<Result<null>>;
  /** Where joining needs approval and I lead nothing, this makes requests. */
  invite(id: number, friendIds: readonly number[]): Promise<Result<null>>;
  /** Status 2: in at once. The caller shows a failure. */
  apply(id: number, remark: string): Promise<Result<RequestOutcome>>;
  approve(requestId: number): Promise<Result<null>>;
  reject(requestId: number): Promise<Result<null>>;
  /** A member gets all of it, somebody else the public card. The caller shows a failure. */
  find(id: number): Promise<Result<GroupVO | GroupCard>>;
  /** By number or a part of the name, at most 20. The caller shows a failure. */
  search(name: string): Promise<Result<readonly GroupCard[]>>;
  /** Into the state; asks again when they are there already. No toast. */
  loadMembers(id: number): Promise<Result<null>>;
  removeMembers(id: number, userIds: readonly number[], deleteMessages: boolean): Promise<Result<null>>;
  setMuted(id: number, userIds: readonly number[], isMuted: boolean): Promise<Result<null>>;
  /** Global mute: only the owner may speak. */
  setAllMuted(id: number, isMuted: boolean): Promise<Result<null>>;
  setManagers(id: number, userIds: readonly number[], isManager: boolean): Promise<Result<null>>;
  transfer(id: number, userId: number): Promise<Result<null>>;
  quit(id: number): Promise<Result<null>>;
  dissolve(id: number): Promise<Result<null>>;
  /** The notice as it stands has been read; on this device. */
  readNotice(id: number): void;
  /** Who has read a message: those it was sent to, by user id. */
  readers(id: number, messageId: number, who?: "read" | "unread"): Promise<Result<readonly number[]>>;
}

export interface NewGroup {
  readonly name: string;
  readonly memberIds: readonly number[];
  readonly headImage?: string | null;
  readonly headImageThumb?: string | null;
}

/** What is left out stays; null takes away. */
export interface GroupEdit {
  readonly name?: string;
  readonly headImage?: string | null;
  readonly headImageThumb?: string | null;
  readonly notice?: string | null;
  readonly remarkGroupName?: string | null;
  readonly remarkNickName?: string | null;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** 1 everyone, 2 admins. */
export interface GroupRights {
  readonly inviteRole?: 1 | 2;
  readonly editRole?: 1 | 2;
  readonly attrRole?: 1 | 2;
  readonly joinApproval?: boolean;
}
