import * as z from "zod/mini";
import { anyText, id } from "./text.ts";

const nullableText = () => z.nullable(anyText());

/** The four values of a fresh login. Times in seconds. */
export const tokenPair = z.object({
  accessToken: z.string(),
  accessTokenExpiresIn: z.number(),
  refreshToken: z.string(),
  refreshTokenExpiresIn: z.number(),
});
export type TokenPair = z.output<typeof tokenPair>;

/** One of my logins. `id` is the session's, `lastSeen` epoch ms, `current`: the one that asks. */
export const sessionVO = z.object({
  id: z.string(),
  terminal: z.number(),
  device: z.nullable(z.string()),
  os: z.nullable(z.string()),
  browser: z.nullable(z.string()),
  lastSeen: z.number(),
  current: z.boolean(),
});
export type SessionVO = z.output<typeof sessionVO>;

/** User info (spec §3). For others than oneself mobile, email, birthday and isManualApprove are null. */
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
  isBanned: z.nullable(z.boolean()),
  reason: nullableText(),
});
export type UserInfo = z.output<typeof userInfo>;

/** Who is online and on which terminals (spec §3). */
export const onlineStatus = z.object({ userId: id(), terminals: z.array(z.number()) });
export type OnlineStatus = z.output<typeof onlineStatus>;

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
  /** 1 alerts, 0 is silent. */
  msgRemind: z.number(),
  isDnd: z.boolean(),
  isDeleted: z.boolean(),
  deleted: z.boolean(),
  /** Banned by an administrator, and why. */
  isBanned: z.optional(z.boolean()),
  reason: z.optional(nullableText()),
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
  /** `RequestSource`; null: not told. */
  source: z.optional(z.nullable(z.number())),
  /** `RequestStatus`. */
  status: z.number(),
  applyTime: z.number(),
});
export type FriendRequestVO = z.output<typeof friendRequestVO>;

/** Content of push 71: the person the reader has gained, and the request that led there. */
export const friendGained = z.extend(friendVO, {
  requestId: z.nullable(id()),
  status: z.number(),
  remark: z.string(),
  applyTime: z.nullable(z.number()),
});
export type FriendGained = z.output<typeof friendGained>;

/** Whether the socket has a secure address. false: it has none; null, or not said as by other servers: not known. */
const socketSecure = () => z.optional(z.nullable(z.boolean()));

/** Display settings (spec §3). */
export const displaySettings = z.object({
  userRegisterInviteCode: z.boolean(),
  updateAvatarAfterRegister: z.boolean(),
  socketSecure: socketSecure(),
});
export type DisplaySettings = z.output<typeof displaySettings>;

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
  /** Seconds. */
  message: z.object({ recallSeconds: z.number(), editSeconds: z.number() }),
  /** Bytes. */
  upload: z.object({ imageMax: z.number(), fileMax: z.number() }),
});
export type SystemConfig = z.output<typeof systemConfig>;

export const imageUpload = z.object({
  originUrl: z.string(),
  thumbUrl: z.string(),
  width: z.number(),
  height: z.number(),
});
export type ImageUpload = z.output<typeof imageUpload>;

/** What anybody sees of a group. */
export const groupCard = z.object({
  id: id(),
  name: z.string(),
  headImage: nullableText(),
  headImageThumb: nullableText(),
  membersCount: z.number(),
});
export type GroupCard = z.output<typeof groupCard>;

/** A group as one of its members sees it (spec §3). */
export const groupVO = z.extend(groupCard, {
  ownerId: id(),
  notice: nullableText(),
  /** My own name for the group, and the one shown: the remark if set, else the name. */
  remarkGroupName: nullableText(),
  showGroupName: z.string(),
  /** My nickname in this group, and the one shown: that if set, else my nickname. */
  remarkNickName: nullableText(),
  showNickName: z.string(),
  /** Mine. `GroupRole`. */
  role: z.number(),
  isAllMuted: z.boolean(),
  /** Whether I am muted. */
  isMuted: z.boolean(),
  /** 1 everyone, 2 admins. */
  inviteRole: z.number(),
  editRole: z.number(),
  attrRole: z.number(),
  joinApproval: z.boolean(),
  attributes: z.record(z.string(), z.string()),
  isTop: z.boolean(),
  /** 0 alerts always, 1 only what admins and the owner write, 2 never. */
  msgRemind: z.number(),
  isDnd: z.boolean(),
  isBanned: z.boolean(),
  reason: nullableText(),
  dissolve: z.boolean(),
  /** Whether I have left. */
  quit: z.boolean(),
  /** Where my newest stay began: of what was written in it I see ids above this. Another one than before: I was out meanwhile. */
  stayFrom: z.optional(z.number()),
  /** How many people it takes. */
  maxMembers: z.optional(z.number()),
  /** The running call; null for none. */
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

/** A wish to join: by the person, or by a member who invites where joining needs approval. */
export const groupRequestVO = z.object({
  id: id(),
  groupId: id(),
  groupName: z.string(),
  groupHeadImage: nullableText(),
  /** Who would join. */
  sendId: id(),
  sendNickName: z.string(),
  sendHeadImage: nullableText(),
  /** The member who invites; null: the person asks. */
  inviterId: z.nullable(id()),
  inviterNickName: nullableText(),
  remark: z.string(),
  /** `RequestStatus`. */
  status: z.number(),
  applyTime: z.number(),
});
export type GroupRequestVO = z.output<typeof groupRequestVO>;
