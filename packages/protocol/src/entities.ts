import * as z from "zod/mini";
import { anyText, id } from "./text.ts";

const nullableText = () => z.nullable(anyText());

/** The four values of a new login. Times are in seconds. */
export const tokenPair = z.object({
  accessToken: z.string(),
  accessTokenExpiresIn: z.number(),
  refreshToken: z.string(),
  refreshTokenExpiresIn: z.number(),
});
export type TokenPair = z.output<typeof tokenPair>;

/** One of my sessions. `lastSeen` is in epoch ms; `current` is true for the session that makes the call. */
export const sessionVO = z.object({
  id: z.string(),
  terminal: z.number(),
  device: z.nullable(z.string()),
  os: z.nullable(z.string()),
  browser: z.nullable(z.string()),
  lastSeen: z.number(),
  /** The network address of the newest login, refresh or socket; null if unknown. */
  address: nullableText(),
  current: z.boolean(),
});
export type SessionVO = z.output<typeof sessionVO>;

/** User info (spec §3). For other people mobile, email, birthday, isManualApprove, findableBy, readReceipts and lastSeenShown are null. */
export const userInfo = z.object({
  id: id(),
  userName: z.string(),
  nickName: z.string(),
  sex: z.nullable(z.number()),
  signature: nullableText(),
  birthday: nullableText(),
  mobile: nullableText(),
  email: nullableText(),
  headImage: nullableText(),
  headImageThumb: nullableText(),
  online: z.boolean(),
  isManualApprove: z.nullable(z.boolean()),
  /** `FindableBy`. */
  findableBy: z.nullable(z.number()),
  /** Whether people of private chats tell each other what is read, as far as it depends on me. */
  readReceipts: z.optional(z.nullable(z.boolean())),
  /** Whether friends are told when I was last seen, and I when they were. */
  lastSeenShown: z.optional(z.nullable(z.boolean())),
  isBanned: z.nullable(z.boolean()),
  reason: nullableText(),
  /** Whether I am an administrator; null for other people. */
  isAdmin: z.nullable(z.boolean()),
});
export type UserInfo = z.output<typeof userInfo>;

/** The terminals on which a person is online (spec §3). */
export const onlineStatus = z.object({ userId: id(), terminals: z.array(z.number()) });
export type OnlineStatus = z.output<typeof onlineStatus>;

/** When `msgRemind` changes back by itself, in epoch ms; absent or null: it stays. */
const msgRemindUntil = z.optional(z.nullable(z.number()));

/** A friend as its owner sees it (spec §3). */
export const friendVO = z.object({
  id: id(),
  userName: z.string(),
  nickName: z.string(),
  headImage: nullableText(),
  headImageThumb: nullableText(),
  /** Remark if set, else nickname, else user name. */
  showNickName: z.string(),
  remarkNickName: nullableText(),
  online: z.boolean(),
  onlineWeb: z.boolean(),
  onlineApp: z.boolean(),
  isTop: z.boolean(),
  /** 1: messages alert; 0: the chat is muted. */
  msgRemind: z.number(),
  msgRemindUntil,
  isDnd: z.boolean(),
  isDeleted: z.boolean(),
  deleted: z.boolean(),
  /** Banned by an administrator, and why. */
  isBanned: z.optional(z.boolean()),
  reason: z.optional(nullableText()),
  /** `RequestSource` of the request that made the two friends; absent if it is unknown, and where only the person changed. */
  source: z.optional(z.nullable(z.number())),
});
export type FriendVO = z.output<typeof friendVO>;

export const friendRequestVO = z.object({
  id: id(),
  sendId: id(),
  sendNickName: z.string(),
  sendHeadImage: nullableText(),
  recvId: id(),
  recvNickName: z.string(),
  recvHeadImage: nullableText(),
  remark: z.string(),
  /** `RequestSource`; null: unknown. */
  source: z.optional(z.nullable(z.number())),
  /** `RequestStatus`. */
  status: z.number(),
  applyTime: z.number(),
});
export type FriendRequestVO = z.output<typeof friendRequestVO>;

/** Content of push 71: the new friend of the receiver, and the request that was approved. */
export const friendGained = z.extend(friendVO, {
  requestId: z.nullable(id()),
  status: z.number(),
  remark: z.string(),
  applyTime: z.nullable(z.number()),
});
export type FriendGained = z.output<typeof friendGained>;

/** Whether the socket has a secure address. Unknown if null, or if absent as with other servers. */
const socketSecure = () => z.optional(z.nullable(z.boolean()));

/** Display settings (spec §3). */
export const displaySettings = z.object({
  userRegisterInviteCode: z.boolean(),
  updateAvatarAfterRegister: z.boolean(),
  socketSecure: socketSecure(),
});
export type DisplaySettings = z.output<typeof displaySettings>;

/** Whether a call begins with a camera. */
export const callMode = () => z.enum(["voice", "video"]);
export type CallMode = z.output<ReturnType<typeof callMode>>;

/** A person in a call, as others see them. */
const callPerson = () => z.object({ id: id(), nickName: z.string(), headImage: z.nullable(z.string()) });

/** The call between two people, if there is one: it rings until there is an acceptor. */
export const privateCallInfo = z.object({
  isChating: z.boolean(),
  mode: z.nullable(callMode()),
  host: z.nullable(callPerson()),
  acceptor: z.nullable(callPerson()),
});
export type PrivateCallInfo = z.output<typeof privateCallInfo>;

/** A person in the call of a group. Before they have accepted, no device is on. */
export const groupCallPerson = z.extend(callPerson(), {
  isIn: z.boolean(),
  isCamera: z.boolean(),
  isMicroPhone: z.boolean(),
  /** An older server does not say it. */
  isShareScreen: z.optional(z.boolean()),
});
export type GroupCallPerson = z.output<typeof groupCallPerson>;

/** The running call of a group: those in it, and those for whom it rings. */
export const groupCallInfo = z.object({
  isChating: z.boolean(),
  host: z.nullable(callPerson()),
  userInfos: z.array(groupCallPerson),
});
export type GroupCallInfo = z.output<typeof groupCallInfo>;

export const systemConfig = z.object({
  socketSecure: socketSecure(),
  webrtc: z.object({
    maxChannel: z.number(),
    heldOffer: z.boolean(),
    iceServers: z.array(
      z.object({
        urls: z.array(z.string()),
        username: z.nullable(z.string()),
        credential: z.nullable(z.string()),
      }),
    ),
  }),
  /** Seconds, and the length of a text in code points; a server that does not name it takes `TEXT_MAX`. */
  message: z.object({
    recallSeconds: z.number(),
    editSeconds: z.number(),
    textMax: z.optional(z.number()),
  }),
  /** The `JoinMode` of new groups. */
  group: z.object({ joinMode: z.number() }),
  /** Bytes. */
  upload: z.object({ imageMax: z.number(), fileMax: z.number() }),
  /** Null: this server sends no web push. The key is the VAPID key with which it signs (base64url). */
  webPush: z.nullable(z.object({ publicKey: z.string() })),
});
export type SystemConfig = z.output<typeof systemConfig>;

/** A blurred copy of a picture, shown while the picture loads: base64 of a WebP of at most `PLACEHOLDER_MAX_PX`. */
const placeholder = () => z.optional(z.string());

export const imageUpload = z.object({
  originUrl: z.string(),
  thumbUrl: z.string(),
  width: z.number(),
  height: z.number(),
  placeholder: placeholder(),
});
export type ImageUpload = z.output<typeof imageUpload>;

/** Width, height and placeholder are those of the cover. */
export const videoUpload = z.object({
  videoUrl: z.string(),
  coverUrl: z.string(),
  width: z.number(),
  height: z.number(),
  placeholder: placeholder(),
});
export type VideoUpload = z.output<typeof videoUpload>;

/** What people outside may see of a group that can be found. */
export const groupCard = z.object({
  id: id(),
  name: z.string(),
  headImage: nullableText(),
  headImageThumb: nullableText(),
  /** 0 for those who were never in it. */
  membersCount: z.number(),
  /** `JoinMode`, as it holds for me: a person whom an admin has removed needs approval. */
  joinMode: z.number(),
});
export type GroupCard = z.output<typeof groupCard>;

/** A group as one of its members sees it (spec §3). */
export const groupVO = z.extend(groupCard, {
  ownerId: id(),
  notice: nullableText(),
  /** My own name for the group, and the name to display: the remark if set, else the name. */
  remarkGroupName: nullableText(),
  showGroupName: z.string(),
  /** My nickname in this group, and the name to display: that nickname if set, else my own. */
  remarkNickName: nullableText(),
  showNickName: z.string(),
  /** My `GroupRole`. */
  role: z.number(),
  isAllMuted: z.boolean(),
  /** Whether I am muted. */
  isMuted: z.boolean(),
  /** 1 everyone, 2 admins. */
  inviteRole: z.number(),
  editRole: z.number(),
  attrRole: z.number(),
  /** Whether `joinMode` is another than free. */
  joinApproval: z.boolean(),
  /** Whether people outside find the group by its number and name. */
  isFindable: z.boolean(),
  attributes: z.record(z.string(), z.string()),
  isTop: z.boolean(),
  /** 0: all messages alert; 1: only those of the owner and admins; 2: none. */
  msgRemind: z.number(),
  msgRemindUntil,
  isDnd: z.boolean(),
  isBanned: z.boolean(),
  reason: nullableText(),
  dissolve: z.boolean(),
  /** Whether I have left. */
  quit: z.boolean(),
  /** Whether I did not leave by myself, but was removed. */
  wasRemoved: z.boolean(),
  /** Where my newest stay began: of the messages in it I see those with higher ids. A changed value means that I had left in between. */
  stayFrom: z.optional(z.number()),
  /** Maximum number of members. */
  maxMembers: z.optional(z.number()),
  /** The running call; null if there is none. */
  rtcInfo: z.nullable(z.unknown()),
});
export type GroupVO = z.output<typeof groupVO>;

export const groupMemberVO = z.object({
  userId: id(),
  /** The nickname in this group if set, else the person's own. */
  showNickName: z.string(),
  remarkNickName: nullableText(),
  headImage: nullableText(),
  online: z.boolean(),
  /** `GroupRole`. */
  role: z.number(),
  isMuted: z.boolean(),
  quit: z.boolean(),
});
export type GroupMemberVO = z.output<typeof groupMemberVO>;

/** A request to join, made by the person or, if joining needs approval, by a member who invites them. */
export const groupRequestVO = z.object({
  id: id(),
  groupId: id(),
  groupName: z.string(),
  groupHeadImage: nullableText(),
  /** The person who would join. */
  sendId: id(),
  sendNickName: z.string(),
  sendHeadImage: nullableText(),
  /** The member who invites; null if the person asks themselves. */
  inviterId: z.nullable(id()),
  inviterNickName: nullableText(),
  remark: z.string(),
  /** `RequestStatus`. */
  status: z.number(),
  applyTime: z.number(),
});
export type GroupRequestVO = z.output<typeof groupRequestVO>;
