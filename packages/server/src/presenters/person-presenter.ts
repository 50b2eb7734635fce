/** People as they see themselves and each other. */
import { mutedLevel } from "@parley/protocol/alert-level";
import { ChatType, Terminal } from "@parley/protocol/codes";
import type { FriendRequestVO, FriendVO, UserInfo } from "@parley/protocol/entities";
import type { UserRow } from "../ports/account-store.ts";
import type { FriendRow, RequestRow } from "../ports/contact-store.ts";
import { smallPicture } from "./small-picture.ts";

type Person = Pick<UserRow, "id" | "userName" | "nickName" | "headImage" | "headImageThumb" | "banReason">;

type FullPerson = Person &
  Pick<
    UserRow,
    | "sex"
    | "signature"
    | "birthday"
    | "mobile"
    | "email"
    | "isManualApprove"
    | "findableBy"
    | "readReceipts"
    | "lastSeenShown"
    | "isAdmin"
  >;

type FriendPreferences = Omit<FriendRow, "ownerId" | "friendId">;

/** 0 is an older web client. */
function isWeb(terminal: number): boolean {
  return terminal === Terminal.WEB || terminal === Terminal.OLD_WEB;
}

/** A person as they see themselves. */
export function ownInfo(user: FullPerson): UserInfo {
  return {
    ...publicInfo(user, true),
    birthday: user.birthday,
    mobile: user.mobile,
    email: user.email,
    isManualApprove: user.isManualApprove,
    findableBy: user.findableBy,
    readReceipts: user.readReceipts,
    lastSeenShown: user.lastSeenShown,
    isAdmin: user.isAdmin,
  };
}

/** A person as others see them: without contact details, but with the reason of a ban. */
export function publicInfo(user: FullPerson, online: boolean): UserInfo {
  return {
    id: user.id,
    userName: user.userName,
    nickName: user.nickName,
    sex: user.sex,
    signature: user.signature,
    birthday: null,
    mobile: null,
    email: null,
    headImage: user.headImage,
    headImageThumb: user.headImageThumb,
    online,
    isManualApprove: null,
    findableBy: null,
    readReceipts: null,
    lastSeenShown: null,
    isBanned: user.banReason !== null,
    reason: user.banReason,
    isAdmin: null,
  };
}

/** A friend as the owner of the preferences sees them. `source`: where one of the two had found the other. */
export function friendVO(
  preferences: FriendPreferences,
  friend: Person,
  terminals: readonly number[],
  source?: number,
): FriendVO {
  return {
    id: friend.id,
    userName: friend.userName,
    nickName: friend.nickName,
    headImage: friend.headImage,
    headImageThumb: friend.headImageThumb,
    showNickName: preferences.remarkNickName || friend.nickName || friend.userName,
    remarkNickName: preferences.remarkNickName,
    online: terminals.length > 0,
    onlineWeb: terminals.some(isWeb),
    onlineApp: terminals.includes(Terminal.APP),
    isTop: preferences.isTop,
    msgRemind: preferences.msgRemind,
    msgRemindUntil: preferences.msgRemindUntil,
    isDnd: preferences.msgRemind === mutedLevel(ChatType.PRIVATE),
    isDeleted: preferences.isDeleted,
    deleted: preferences.isDeleted,
    isBanned: friend.banReason !== null,
    reason: friend.banReason,
    ...(source !== undefined && { source }),
  };
}

/** A friend request. */
export function requestVO(request: RequestRow, sender: Person, receiver: Person): FriendRequestVO {
  return {
    id: request.id,
    sendId: request.sendId,
    sendNickName: sender.nickName,
    sendHeadImage: smallPicture(sender),
    recvId: request.recvId,
    recvNickName: receiver.nickName,
    recvHeadImage: smallPicture(receiver),
    remark: request.remark,
    source: request.source,
    status: request.status,
    applyTime: request.applyTime,
  };
}
