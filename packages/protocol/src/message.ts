import * as z from "zod/mini";
import { ChatType, MessageType } from "./codes.ts";
import { friendGained, friendRequestVO, friendVO, groupRequestVO, groupVO } from "./entities.ts";
import {
  FILE_NAME_MAX,
  LOCATION_ADDRESS_MAX,
  LOCATION_NAME_MAX,
  PLACEHOLDER_MAX,
  WAVE_BARS_MAX,
  WAVE_BARS_MIN,
} from "./limits.ts";
import { messageExtra } from "./message-extra.ts";
import { anyText, code, id, isVisible, time } from "./text.ts";

/** A tip, from which a client writes a sentence in the reader's language. `content` has the sentence in the server's default language. */
export const tip = z.object({
  key: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type Tip = z.output<typeof tip>;

/** How a call ended; sent together with the text of types 40 and 41. */
export const callResult = z.object({ result: z.string(), seconds: z.number() });
export type CallResult = z.output<typeof callResult>;

export const quoteMessage = z.object({
  id: id(),
  sendId: id(),
  content: z.string(),
  type: code(),
  status: code(),
});
export type QuoteMessage = z.output<typeof quoteMessage>;

const storedFields = {
  id: id(),
  tmpId: z.nullable(z.string()),
  type: code(),
  sendId: id(),
  sendNickName: z.string(),
  content: z.string(),
  /** Epoch milliseconds. */
  sendTime: time(),
  /**
   * When the server received it, if that was clearly before `sendTime`: after its clock was ahead, times wait for it, so that they never
   * decrease. Windows, such as that of a recall, begin here.
   */
  receivedAt: z.optional(time()),
  /** `MessageStatus`. */
  status: z.number(),
  quoteMessage: z.nullable(quoteMessage),
  isEdited: z.boolean(),
  editedAt: z.nullable(time()),
  tip: z.nullable(tip),
  act: z.nullable(callResult),
  /** What people did to it since; absent if nobody ever did anything. */
  extra: z.optional(messageExtra),
};

/** A stored private message (spec §3). Ids of all private messages are one increasing sequence. */
export const privateMessage = z.object({ ...storedFields, recvId: id() });
export type PrivateMessage = z.output<typeof privateMessage>;

/** A stored group message. Ids of all group messages are one increasing sequence. */
export const groupMessage = z.object({
  ...storedFields,
  groupId: id(),
  /** 1 member, 2 admin, 3 owner. */
  sendRole: z.number(),
  /** -1 stands for everyone. */
  atUserIds: z.array(z.number()),
  receipt: z.boolean(),
  receiptOk: z.boolean(),
  readedCount: z.number(),
});
export type GroupMessage = z.output<typeof groupMessage>;

/** A message of the system chat: `seqNo` counts from 1 per user without gaps. */
export const systemMessage = z.object({
  id: id(),
  seqNo: id(),
  type: code(),
  title: z.nullable(z.string()),
  intro: z.nullable(z.string()),
  coverUrl: z.nullable(z.string()),
  /** For 60 and 61 the request VO as a JSON string. */
  content: z.string(),
  status: z.number(),
  sendTime: time(),
  isVerifyMessage: z.boolean(),
  isPermanent: z.boolean(),
  isTop: z.boolean(),
});
export type SystemMessage = z.output<typeof systemMessage>;

/**
 * Content of type 82: my own user info, or the lists of friends, requests or blocked people, have changed; empty: something that
 * `/user/changes` tells.
 */
export const CHANGED_PEOPLE = "people";

// Contents (sent as a JSON string)

/** A URL in a content is relative and names a file that this server issued. */
const fileUrl = () =>
  z.string().check(z.regex(/^\/files\/[\w-]+\/[^/\\?#]+$/, { error: "not a file of this server" }));
const pixels = () => z.number().check(z.minimum(0), z.maximum(100_000));
const seconds = () => z.number().check(z.minimum(0));
/** See `imageUpload`. */
const placeholder = () =>
  z.optional(
    z
      .string()
      .check(
        z.maxLength(PLACEHOLDER_MAX),
        z.regex(/^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, { error: "not base64" }),
      ),
  );
/** One hexadecimal digit for the loudness of each bar. */
const wave = () =>
  z.optional(
    z
      .string()
      .check(
        z.minLength(WAVE_BARS_MIN),
        z.maxLength(WAVE_BARS_MAX),
        z.regex(/^[0-9A-Fa-f]*$/, { error: "not hexadecimal" }),
      ),
  );

export const imageContent = z.object({
  originUrl: fileUrl(),
  thumbUrl: fileUrl(),
  /** 0: unknown. */
  width: pixels(),
  height: pixels(),
  placeholder: placeholder(),
});
export const fileContent = z.object({
  name: anyText(),
  size: z.number().check(z.minimum(0)),
  url: fileUrl(),
});
export const audioContent = z.object({ duration: seconds(), url: fileUrl(), wave: wave() });
export const videoContent = z.object({
  videoUrl: fileUrl(),
  coverUrl: fileUrl(),
  width: pixels(),
  height: pixels(),
  placeholder: placeholder(),
  duration: z.optional(seconds()),
});
export const redEnvelopeContent = z.object({ packetNo: z.string(), message: anyText() });
export const transferContent = z.object({
  transferNo: z.string(),
  amount: z.union([z.number(), z.string()]),
  remark: anyText(),
});
/** A geographic point, or only words: then latitude and longitude are null, and name or address says where. */
export const locationContent = z
  .object({
    latitude: z.nullable(z.number().check(z.minimum(-90), z.maximum(90))),
    longitude: z.nullable(z.number().check(z.minimum(-180), z.maximum(180))),
    name: anyText(),
    address: anyText(),
  })
  .check(
    z.refine(({ latitude, longitude }) => (latitude === null) === (longitude === null), {
      error: "one of two degrees",
      path: ["longitude"],
    }),
    z.refine(({ latitude, name, address }) => latitude !== null || isVisible(name + address), {
      error: "neither degrees nor words",
      path: ["name"],
    }),
  );
export const businessCardContent = z.object({
  userId: id(),
  nickName: anyText(),
  headImage: z.nullable(anyText()),
});

/** Whether a pull begins ("true") or ends ("false"). */
export const loadingContent = z.enum(["true", "false"]);

/** Content of push 12. In a private chat: everything up to `id` is read. In a group: how many have read the message `id`. */
export const receiptContent = z.union([
  z.object({ groupId: id(), id: id(), readedCount: z.number(), receiptOk: z.boolean() }),
  z.object({ id: id() }),
]);
/** Content of push 78: what `userId` wrote up to the id `upTo` is removed. */
export const removedMessages = z.object({ userId: id(), upTo: id() });

/** The properties of one kind of message, for server and clients. A property that is left out is false. */
export interface Kind {
  readonly name: string;
  /** `text`: plain; `json`: a JSON string of `schema`; `empty`: nothing. */
  readonly content: "text" | "json" | "empty";
  readonly schema?: z.ZodMiniType;
  /** Whether it is stored as a row of a chat; other kinds are only pushed. */
  readonly stored: boolean;
  /** Whether it is shown as a row of the conversation, and can be quoted. */
  readonly shown: boolean;
  /** Whether it counts as unread for everybody except the sender. `missed`: only a call that was not answered. */
  readonly unread: boolean | "missed";
  /** The preview that it sets in the chat list, where it moves its chat up; null: neither. */
  readonly preview: PreviewKey | null;
  /** Whether clients may send it. `money`: only with MONEY_CARDS=on. */
  readonly sendable: boolean | "money";
  /** The kinds of chats in which it occurs. */
  readonly chats: readonly ChatType[];
  /** A line of the server or the client in a conversation, not a message of somebody. */
  readonly isTip?: true;
  /** A text that its sender may change, and everybody may copy. */
  readonly isEditable?: true;
  /** It can be sent on to others. */
  readonly isForwardable?: true;
  /** A request that its reader answers. */
  readonly isRequest?: true;
  /** The fields of its content that are urls of uploaded files. A message keeps these files until it is recalled. */
  readonly fileFields?: readonly string[];
  /** Those of them that must be pictures that the server has encoded. */
  readonly pictureFields?: readonly string[];
  /** It plays a sound in a group too, not only in a private chat (spec §5). */
  readonly hasGroupSound?: true;
  /** It shakes the window of the receiver, so it is limited to one in `SHAKE_INTERVAL_MS` for a sender and chat. */
  readonly shakesWindow?: true;
  /** What a search looks at: the whole content, or fields of a JSON content. */
  readonly searched?: "content" | readonly string[];
  /** The field of a JSON content that the preview shows after its label; null: the label is enough, because the content is in the server's language. */
  readonly previewField?: string | null;
  /** Maximum lengths of fields of a JSON content, in code points. */
  readonly maxLengths?: Readonly<Record<string, number>>;
}

/** The preview of a chat's last message: `content` is the text itself, the others are words in the reader's language. `unknown` is a kind of a newer server. */
export type PreviewKey =
  | "content"
  | "image"
  | "file"
  | "audio"
  | "video"
  | "redEnvelope"
  | "transfer"
  | "voiceCall"
  | "videoCall"
  | "location"
  | "shake"
  | "businessCard"
  | "friendApply"
  | "groupApply"
  | "notice"
  | "unknown";

const P = [ChatType.PRIVATE] as const;
const G = [ChatType.GROUP] as const;
const S = [ChatType.SYSTEM] as const;
const PG = [ChatType.PRIVATE, ChatType.GROUP] as const;
const ALL = [ChatType.PRIVATE, ChatType.GROUP, ChatType.SYSTEM] as const;

const userMessage = { stored: true, shown: true, unread: true, sendable: true, chats: PG } as const;
const tipRow = {
  stored: true,
  shown: true,
  unread: false,
  sendable: false,
  chats: PG,
  isTip: true,
} as const;
const media = { ...userMessage, isForwardable: true, hasGroupSound: true } as const;
const changeEvent = { stored: true, shown: false, unread: false, preview: null, chats: PG } as const;
const signal = {
  stored: false,
  shown: false,
  unread: false,
  preview: null,
  sendable: false,
} as const;
const call = {
  stored: true,
  shown: true,
  unread: "missed",
  sendable: false,
  chats: P,
  content: "text",
  previewField: null,
  searched: "content",
} as const;
const systemRow = {
  stored: true,
  shown: true,
  unread: true,
  sendable: false,
  chats: S,
} as const;
const friendRequest = { ...signal, content: "json", chats: P, schema: friendRequestVO } as const;
const groupRequest = { ...signal, content: "json", chats: P, schema: groupRequestVO } as const;
const privateRtc = { ...signal, content: "text", chats: P } as const;
const groupRtc = { ...signal, content: "text", chats: G } as const;

/** The kind of every message type. Clients show other types as "not supported" and otherwise ignore them. */
export const KINDS = {
  [MessageType.TEXT]: {
    ...userMessage,
    name: "TEXT",
    content: "text",
    preview: "content",
    isEditable: true,
    isForwardable: true,
    hasGroupSound: true,
    searched: "content",
  },
  [MessageType.IMAGE]: {
    ...media,
    name: "IMAGE",
    content: "json",
    schema: imageContent,
    preview: "image",
    fileFields: ["originUrl", "thumbUrl"],
    pictureFields: ["originUrl", "thumbUrl"],
  },
  [MessageType.FILE]: {
    ...media,
    name: "FILE",
    content: "json",
    schema: fileContent,
    preview: "file",
    fileFields: ["url"],
    searched: ["name"],
    maxLengths: { name: FILE_NAME_MAX },
  },
  [MessageType.AUDIO]: {
    ...media,
    name: "AUDIO",
    content: "json",
    schema: audioContent,
    preview: "audio",
    fileFields: ["url"],
  },
  [MessageType.VIDEO]: {
    ...media,
    name: "VIDEO",
    content: "json",
    schema: videoContent,
    preview: "video",
    fileFields: ["videoUrl", "coverUrl"],
    pictureFields: ["coverUrl"],
  },
  [MessageType.REDENVELOPE]: {
    ...userMessage,
    name: "REDENVELOPE",
    content: "json",
    schema: redEnvelopeContent,
    preview: "redEnvelope",
    sendable: "money",
    searched: ["message"],
  },
  [MessageType.TRANSFER]: {
    ...userMessage,
    name: "TRANSFER",
    content: "json",
    schema: transferContent,
    preview: "transfer",
    sendable: "money",
    searched: ["remark"],
    previewField: "amount",
  },
  [MessageType.EDIT]: { ...changeEvent, name: "EDIT", content: "text", sendable: true },
  [MessageType.RECALL]: { ...changeEvent, name: "RECALL", content: "text", sendable: false },
  [MessageType.READED]: { ...signal, name: "READED", content: "empty", chats: ALL },
  [MessageType.RECEIPT]: { ...signal, name: "RECEIPT", content: "json", schema: receiptContent, chats: PG },
  [MessageType.TIP_TIME]: { ...tipRow, name: "TIP_TIME", content: "text", stored: false, preview: null },
  [MessageType.TIP_TEXT]: { ...tipRow, name: "TIP_TEXT", content: "text", preview: "content" },
  [MessageType.LOADING]: { ...signal, name: "LOADING", content: "text", chats: ALL },
  [MessageType.ACT_RT_VOICE]: { ...call, name: "ACT_RT_VOICE", preview: "voiceCall" },
  [MessageType.ACT_RT_VIDEO]: { ...call, name: "ACT_RT_VIDEO", preview: "videoCall" },
  [MessageType.USER_BANNED]: { ...signal, name: "USER_BANNED", content: "text", chats: S },
  [MessageType.SYSTEM_MESSAGE]: {
    ...systemRow,
    name: "SYSTEM_MESSAGE",
    content: "text",
    preview: "notice",
    searched: "content",
  },
  [MessageType.USER_UNREG]: { ...signal, name: "USER_UNREG", content: "text", chats: S },
  [MessageType.FRIEND_APPLY]: {
    ...systemRow,
    name: "FRIEND_APPLY",
    content: "json",
    schema: friendRequestVO,
    preview: "friendApply",
    isRequest: true,
  },
  [MessageType.GROUP_APPLY]: {
    ...systemRow,
    name: "GROUP_APPLY",
    content: "json",
    schema: groupRequestVO,
    preview: "groupApply",
    isRequest: true,
  },
  [MessageType.FRIEND_REQ_APPLY]: { ...friendRequest, name: "FRIEND_REQ_APPLY" },
  [MessageType.FRIEND_REQ_APPROVE]: { ...friendRequest, name: "FRIEND_REQ_APPROVE", schema: friendGained },
  [MessageType.FRIEND_REQ_REJECT]: { ...friendRequest, name: "FRIEND_REQ_REJECT" },
  [MessageType.FRIEND_REQ_RECALL]: { ...friendRequest, name: "FRIEND_REQ_RECALL" },
  [MessageType.GROUP_REQ_APPLY]: { ...groupRequest, name: "GROUP_REQ_APPLY" },
  [MessageType.GROUP_REQ_APPROVE]: { ...groupRequest, name: "GROUP_REQ_APPROVE" },
  [MessageType.GROUP_REQ_REJECT]: { ...groupRequest, name: "GROUP_REQ_REJECT" },
  [MessageType.GROUP_KICK_USER_MSG]: {
    ...signal,
    name: "GROUP_KICK_USER_MSG",
    content: "json",
    schema: removedMessages,
    chats: G,
  },
  [MessageType.FRIEND_NEW]: { ...signal, name: "FRIEND_NEW", content: "json", schema: friendVO, chats: P },
  [MessageType.FRIEND_DELETED]: { ...signal, name: "FRIEND_DELETED", content: "empty", chats: P },
  [MessageType.CHANGES]: { ...signal, name: "CHANGES", content: "text", chats: P },
  [MessageType.EXTRA]: { ...signal, name: "EXTRA", content: "empty", chats: PG },
  [MessageType.TYPING]: { ...signal, name: "TYPING", content: "empty", chats: PG },
  [MessageType.LOCATION]: {
    ...userMessage,
    name: "LOCATION",
    content: "json",
    schema: locationContent,
    preview: "location",
    isForwardable: true,
    searched: ["name", "address"],
    maxLengths: { name: LOCATION_NAME_MAX, address: LOCATION_ADDRESS_MAX },
  },
  [MessageType.GROUP_NEW]: { ...signal, name: "GROUP_NEW", content: "json", schema: groupVO, chats: G },
  [MessageType.GROUP_LEFT]: { ...signal, name: "GROUP_LEFT", content: "empty", chats: G },
  [MessageType.SHAKE]: {
    ...userMessage,
    name: "SHAKE",
    content: "empty",
    preview: "shake",
    shakesWindow: true,
  },
  [MessageType.BUSINESS_CARD]: {
    ...userMessage,
    name: "BUSINESS_CARD",
    content: "json",
    schema: businessCardContent,
    preview: "businessCard",
    isForwardable: true,
    searched: ["nickName"],
  },
  [MessageType.RTC_SETUP_VOICE]: { ...privateRtc, name: "RTC_SETUP_VOICE" },
  [MessageType.RTC_SETUP_VIDEO]: { ...privateRtc, name: "RTC_SETUP_VIDEO" },
  [MessageType.RTC_ACCEPT]: { ...privateRtc, name: "RTC_ACCEPT" },
  [MessageType.RTC_REJECT]: { ...privateRtc, name: "RTC_REJECT" },
  [MessageType.RTC_CANCEL]: { ...privateRtc, name: "RTC_CANCEL" },
  [MessageType.RTC_FAILED]: { ...privateRtc, name: "RTC_FAILED" },
  [MessageType.RTC_HANDUP]: { ...privateRtc, name: "RTC_HANDUP" },
  [MessageType.RTC_OFFER]: { ...privateRtc, name: "RTC_OFFER" },
  [MessageType.RTC_ANSWER]: { ...privateRtc, name: "RTC_ANSWER" },
  [MessageType.RTC_CANDIDATE]: { ...privateRtc, name: "RTC_CANDIDATE" },
  [MessageType.RTC_DEVICE]: { ...privateRtc, name: "RTC_DEVICE" },
  [MessageType.RTC_GROUP_SETUP]: { ...groupRtc, name: "RTC_GROUP_SETUP" },
  [MessageType.RTC_GROUP_ACCEPT]: { ...groupRtc, name: "RTC_GROUP_ACCEPT" },
  [MessageType.RTC_GROUP_REJECT]: { ...groupRtc, name: "RTC_GROUP_REJECT" },
  [MessageType.RTC_GROUP_FAILED]: { ...groupRtc, name: "RTC_GROUP_FAILED" },
  [MessageType.RTC_GROUP_CANCEL]: { ...groupRtc, name: "RTC_GROUP_CANCEL" },
  [MessageType.RTC_GROUP_QUIT]: { ...groupRtc, name: "RTC_GROUP_QUIT" },
  [MessageType.RTC_GROUP_INVITE]: { ...groupRtc, name: "RTC_GROUP_INVITE" },
  [MessageType.RTC_GROUP_JOIN]: { ...groupRtc, name: "RTC_GROUP_JOIN" },
  [MessageType.RTC_GROUP_OFFER]: { ...groupRtc, name: "RTC_GROUP_OFFER" },
  [MessageType.RTC_GROUP_ANSWER]: { ...groupRtc, name: "RTC_GROUP_ANSWER" },
  [MessageType.RTC_GROUP_CANDIDATE]: { ...groupRtc, name: "RTC_GROUP_CANDIDATE" },
  [MessageType.RTC_GROUP_DEVICE]: { ...groupRtc, name: "RTC_GROUP_DEVICE" },
} as const satisfies Record<MessageType, Kind>;

/** The urls of the uploaded files that a content names, each once; empty for kinds without files, and for a content that cannot be read. */
export function filesOf(type: number, content: string): readonly string[] {
  const fields = kindOf(type)?.fileFields;
  if (fields === undefined) return NO_FILES;
  const value = parseObject(content);
  return [...new Set(fields.map((field) => value[field]).filter((url) => typeof url === "string"))];
}

const NO_FILES: readonly string[] = [];

/** The fields of a JSON content; none if it cannot be read. */
export function parseObject(content: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Whether a person wrote a message of this type. Tips and records of calls have a sender too, but the server wrote them. */
export function isWritten({ type }: { type: number }): boolean {
  const kind = kindOf(type);
  return kind !== undefined && kind.shown && kind.sendable !== false;
}

/** The kind of a type; undefined for a type that only a newer server knows. */
export function kindOf(type: number): Kind | undefined {
  return (KINDS as Record<number, Kind | undefined>)[type];
}
