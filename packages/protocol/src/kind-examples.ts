/** Words and examples for the kinds of messages. They are apart from `KINDS`, which is a part of the web client. */
import type * as z from "zod/mini";
import { MessageType } from "./codes.ts";
import type { KINDS } from "./message.ts";

/** What each kind is, for the API page. */
export const KIND_DESCRIPTIONS: Readonly<Record<MessageType, string>> = {
  [MessageType.TEXT]: "Text; emoticons as #name;",
  [MessageType.IMAGE]: "Picture",
  [MessageType.FILE]: "File",
  [MessageType.AUDIO]: "Voice message",
  [MessageType.VIDEO]: "Video",
  [MessageType.REDENVELOPE]: "Red envelope",
  [MessageType.TRANSFER]: "Transfer of money",
  [MessageType.EDIT]: "New text of an earlier message, which is in quoteMessage",
  [MessageType.RECALL]: "Recall of the message whose id is the content",
  [MessageType.READED]: "You have read up to maxId, on another client",
  [MessageType.RECEIPT]: "The other person has read up to maxId",
  [MessageType.TIP_TIME]: "Time, made by clients",
  [MessageType.TIP_TEXT]: "A sentence of the server; from tip a client can make its own",
  [MessageType.LOADING]: "A pull begins (true) or has ended (false)",
  [MessageType.ACT_RT_VOICE]: "A voice call has ended",
  [MessageType.ACT_RT_VIDEO]: "A video call has ended",
  [MessageType.USER_BANNED]: "Your account is banned; the content is the reason",
  [MessageType.SYSTEM_MESSAGE]: "A notice; its body by GET /api/message/system/content",
  [MessageType.USER_UNREG]: "Your account was closed",
  [MessageType.FRIEND_APPLY]: "A friend request",
  [MessageType.GROUP_APPLY]: "A request to join a group",
  [MessageType.FRIEND_REQ_APPLY]: "Somebody asks to be friends",
  [MessageType.FRIEND_REQ_APPROVE]: "You are friends now; the content is the friend with the request",
  [MessageType.FRIEND_REQ_REJECT]: "A friend request was rejected",
  [MessageType.FRIEND_REQ_RECALL]: "A friend request was taken back",
  [MessageType.GROUP_REQ_APPLY]: "Somebody asks to join a group",
  [MessageType.GROUP_REQ_APPROVE]: "A request to join was approved",
  [MessageType.GROUP_REQ_REJECT]: "A request to join was rejected",
  [MessageType.GROUP_KICK_USER_MSG]:
    "A member was removed with all messages: drop those of userId up to upTo",
  [MessageType.FRIEND_NEW]: "A friend, new or changed",
  [MessageType.FRIEND_DELETED]: "No longer a friend; sendId is the person",
  [MessageType.CHANGES]:
    "Ask GET /api/user/changes, and with the content people also for friends, requests and the blacklist; only with the capability changes",
  [MessageType.EXTRA]:
    "What people did to the message `messageId`, such as reactions: its whole extra, and in `acts` what was done since the push before. Only for clients with the capability `extras`.",
  [MessageType.TYPING]:
    "`sendId` writes a text or records a voice message in this chat, or no longer does; it counts for 6 seconds. Only for clients with the capability `typing`.",
  [MessageType.LOCATION]: "Location",
  [MessageType.GROUP_NEW]: "A group, new or changed",
  [MessageType.GROUP_LEFT]: "You are no longer in a group",
  [MessageType.SHAKE]: "Nudge, which shakes the window: at most one in 10 seconds for a sender and chat",
  [MessageType.BUSINESS_CARD]: "A person's card",
  [MessageType.RTC_SETUP_VOICE]: "Voice call",
  [MessageType.RTC_SETUP_VIDEO]: "Video call",
  [MessageType.RTC_ACCEPT]: "Call accepted",
  [MessageType.RTC_REJECT]: "Call rejected",
  [MessageType.RTC_CANCEL]: "Call cancelled",
  [MessageType.RTC_FAILED]: "Call failed",
  [MessageType.RTC_HANDUP]: "Call ended",
  [MessageType.RTC_OFFER]: "WebRTC offer",
  [MessageType.RTC_ANSWER]: "WebRTC answer",
  [MessageType.RTC_CANDIDATE]: "WebRTC candidate",
  [MessageType.RTC_DEVICE]: "State of camera and microphone; only with the capability rtc110",
  [MessageType.RTC_GROUP_SETUP]: "Group call",
  [MessageType.RTC_GROUP_ACCEPT]: "Group call accepted",
  [MessageType.RTC_GROUP_REJECT]: "Group call rejected",
  [MessageType.RTC_GROUP_FAILED]: "Group call failed",
  [MessageType.RTC_GROUP_CANCEL]: "Group call cancelled",
  [MessageType.RTC_GROUP_QUIT]: "Left the group call",
  [MessageType.RTC_GROUP_INVITE]: "Invited to the group call",
  [MessageType.RTC_GROUP_JOIN]: "Joined the group call",
  [MessageType.RTC_GROUP_OFFER]: "Group WebRTC offer",
  [MessageType.RTC_GROUP_ANSWER]: "Group WebRTC answer",
  [MessageType.RTC_GROUP_CANDIDATE]: "Group WebRTC candidate",
  [MessageType.RTC_GROUP_DEVICE]: "State of camera and microphone in a group call",
};

/** A cup of tea on a green table. */
const TEA_PLACEHOLDER =
  "UklGRnYAAABXRUJQVlA4WAoAAAAQAAAADwAACgAAQUxQSBMAAAABD3Dr/4iIIBZM8pfeG0JE/5MGAFZQOCA8AAAAEAIAnQEqEAALAAOAWiWQAnQBAsDfaghPeAD+rurJhl+2e6ZYL/wMusfpSrZDlAF8LDk2uu+DATjKojAA";

/** Examples of JSON contents, for the API page, tests and the gallery of the web client. Every kind that people send has one. */
export const CONTENT_EXAMPLES: ContentExamples = {
  [MessageType.IMAGE]: [
    {
      originUrl: "/files/x7/tea.png",
      thumbUrl: "/files/x7/tea.webp",
      width: 1_200,
      height: 800,
      placeholder: TEA_PLACEHOLDER,
    },
    // As clients send it that know no placeholders.
    { originUrl: "/files/x7/tea.png", thumbUrl: "/files/x7/tea.webp", width: 1_200, height: 800 },
  ],
  [MessageType.FILE]: [{ name: "Plan.pdf", size: 20_480, url: "/files/x7/plan.pdf" }],
  [MessageType.AUDIO]: [
    { duration: 12, url: "/files/x7/voice.webm", wave: "0248acdb97531135799bdfeca8642013" },
    { duration: 12, url: "/files/x7/voice.webm" },
  ],
  [MessageType.VIDEO]: [
    {
      videoUrl: "/files/x7/tea.mp4",
      coverUrl: "/files/x7/tea.webp",
      width: 1_280,
      height: 720,
      placeholder: TEA_PLACEHOLDER,
      duration: 75,
    },
    { videoUrl: "/files/x7/tea.mp4", coverUrl: "/files/x7/tea.webp", width: 1_280, height: 720 },
  ],
  [MessageType.REDENVELOPE]: [{ packetNo: "1", message: "恭喜发财" }],
  [MessageType.TRANSFER]: [{ transferNo: "1", amount: 52.5, remark: "午饭" }],
  [MessageType.LOCATION]: [
    { latitude: 31.2304, longitude: 121.4737, name: "人民广场", address: "上海市黄浦区" },
    { latitude: null, longitude: null, name: "", address: "Old Street 1" },
  ],
  [MessageType.BUSINESS_CARD]: [{ userId: 2, nickName: "Ada Lovelace", headImage: null }],
};
type ContentExamples = {
  readonly [
    Type in MessageType as (typeof KINDS)[Type] extends { sendable: true | "money"; content: "json" }
      ? Type
      : never
  ]: (typeof KINDS)[Type] extends { schema: z.ZodMiniType<infer Content> } ? readonly Content[] : never;
};
