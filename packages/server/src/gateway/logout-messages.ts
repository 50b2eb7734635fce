/** The messages that people see when a session ends. */
import type { LogoutReason } from "@parley/protocol/envelope";
import type { Language } from "../api/language.ts";

const LOGOUT_MESSAGES: Readonly<Record<LogoutReason, Readonly<Record<Language, string>>>> = {
  kicked: {
    "zh-CN": "您已在其他地方登录，将被强制下线",
    "zh-TW": "您已在其他地方登入，將被強制下線",
    en: "You have been logged in elsewhere and will be forced offline",
  },
  passwordChanged: {
    "zh-CN": "密码已修改，请重新登录",
    "zh-TW": "密碼已修改，請重新登入",
    en: "The password was changed, please log in again",
  },
  sessionEnded: {
    "zh-CN": "您的登录已结束，请重新登录",
    "zh-TW": "您的登入已結束，請重新登入",
    en: "Your session has ended, please log in again",
  },
  banned: { "zh-CN": "您的账号已被封禁", "zh-TW": "您的帳號已被封禁", en: "Your account was banned" },
  unregistered: {
    "zh-CN": "您的账号已注销",
    "zh-TW": "您的帳號已註銷",
    en: "Your account has been canceled",
  },
};

/** The message for a reason, in the reader's language. */
export function logoutMessage(reason: LogoutReason, language: Language): string {
  return LOGOUT_MESSAGES[reason][language];
}
