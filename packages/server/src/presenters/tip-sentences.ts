import { splitNames } from "@parley/protocol/tip-names";
import type { TipKey } from "@parley/protocol/tips";
import type { Language } from "../api/language.ts";

/** The sentences of tips. The store keeps them in the server's default language; clients build their own sentences from the key. */
export const TIP_SENTENCES: Readonly<Record<TipKey, Readonly<Record<Language, string>>>> = {
  "friend.nowFriends": {
    "zh-CN": "你们已成为好友，现在可以开始聊天了",
    "zh-TW": "你們已成為好友，現在可以開始聊天了",
    en: "You are friends now and can start to chat",
  },
  recalled: {
    "zh-CN": "{name}撤回了一条消息",
    "zh-TW": "{name}收回了一則訊息",
    en: "{name} recalled a message",
  },
  recalledBy: {
    "zh-CN": "'{name}'撤回了'{author}'的一条消息",
    "zh-TW": "「{name}」收回了「{author}」的一則訊息",
    en: "{name} recalled a message of {author}",
  },
  "friend.ended": {
    "zh-CN": "你们的好友关系已被解除",
    "zh-TW": "你們的好友關係已被解除",
    en: "You are no longer friends",
  },
  "group.invited": {
    "zh-CN": "'{name}'邀请'{names}'加入了群聊",
    "zh-TW": "「{name}」邀請「{names}」加入了群組",
    en: "{name} invited {names} to the group",
  },
  "group.joined": {
    "zh-CN": "'{name}'加入了群聊",
    "zh-TW": "「{name}」加入了群組",
    en: "{name} joined the group",
  },
  "group.removed": {
    "zh-CN": "您已被移出群聊",
    "zh-TW": "你已被移出群組",
    en: "You have been removed from the group",
  },
  "group.renamed": {
    "zh-CN": "'{name}'将群名修改为'{group}'",
    "zh-TW": "「{name}」將群組名稱修改為「{group}」",
    en: "{name} renamed the group to {group}",
  },
  "group.noticeChanged": {
    "zh-CN": "'{name}'修改了群公告",
    "zh-TW": "「{name}」修改了群組公告",
    en: "{name} changed the group notice",
  },
  "group.muted": {
    "zh-CN": "'{name}'将'{names}'禁言",
    "zh-TW": "「{name}」將「{names}」禁言",
    en: "{name} muted {names}",
  },
  "group.unmuted": {
    "zh-CN": "'{name}'解除了'{names}'的禁言",
    "zh-TW": "「{name}」解除了「{names}」的禁言",
    en: "{name} unmuted {names}",
  },
  "group.allMuted": {
    "zh-CN": "'{name}'开启了全员禁言",
    "zh-TW": "「{name}」開啟了全員禁言",
    en: "{name} muted everyone but the owner",
  },
  "group.allUnmuted": {
    "zh-CN": "'{name}'关闭了全员禁言",
    "zh-TW": "「{name}」關閉了全員禁言",
    en: "{name} let everyone speak again",
  },
  "group.adminAdded": {
    "zh-CN": "'{name}'将'{names}'设为管理员",
    "zh-TW": "「{name}」將「{names}」設為管理員",
    en: "{name} made {names} an admin",
  },
  "group.adminRemoved": {
    "zh-CN": "'{name}'取消了'{names}'的管理员身份",
    "zh-TW": "「{name}」取消了「{names}」的管理員身分",
    en: "{name} took the admin role from {names}",
  },
  "group.transferred": {
    "zh-CN": "'{name}'将群主转让给了'{names}'",
    "zh-TW": "「{name}」將群主轉讓給了「{names}」",
    en: "{name} handed the group over to {names}",
  },
  "group.ownerLeft": {
    "zh-CN": "'{name}'成为新群主",
    "zh-TW": "「{name}」成為新群主",
    en: "{name} is the new owner",
  },
  "group.dissolved": {
    "zh-CN": "群聊已被'{name}'解散",
    "zh-TW": "群組已被「{name}」解散",
    en: "{name} dissolved the group",
  },
  "group.banned": {
    "zh-CN": "群聊已被管理员封禁，原因:{reason}",
    "zh-TW": "群組已被管理員停權，原因：{reason}",
    en: "This group has been banned by administrator. Reason: {reason}",
  },
  "group.callStarted": {
    "zh-CN": "'{name}'发起了语音通话",
    "zh-TW": "「{name}」發起了語音通話",
    en: "{name} started a call",
  },
  "group.callEnded": { "zh-CN": "通话结束", "zh-TW": "通話結束", en: "The call has ended" },
  "group.unbanned": {
    "zh-CN": "群聊已解除封禁",
    "zh-TW": "群組已解除停權",
    en: "This group is no longer banned",
  },
};

/** Fills the parameters into a tip's sentence. `{names}` stands for several names. */
export function tipSentence(
  key: TipKey,
  language: Language,
  params: Readonly<Record<string, string | number>> = {},
): string {
  return TIP_SENTENCES[key][language].replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params[name] ?? "");
    return name === "names" ? splitNames(value).join(",") : value;
  });
}
