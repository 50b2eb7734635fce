/** The message of each API error in the three languages of the server. The zh-CN messages are part of the contract: clients show and compare them. */
import type { ErrorKey, ErrorParams } from "@parley/protocol/envelope";
import type { Language } from "../api/language.ts";

type Translations = Readonly<Record<Language, string>>;

const ERROR_MESSAGES: Readonly<Record<ErrorKey, Translations>> = {
  "auth.notLoggedIn": { "zh-CN": "未登录", "zh-TW": "未登入", en: "You are not logged in" },
  "auth.tokenInvalid": { "zh-CN": "登录已失效", "zh-TW": "登入已失效", en: "Your login is no longer valid" },
  "auth.refreshExpired": {
    "zh-CN": "您的登录信息已过期，请重新登录",
    "zh-TW": "你的登入資訊已過期，請重新登入",
    en: "Your login has expired, please log in again",
  },
  "login.wrongPassword": {
    "zh-CN": "用户名或密码不正确",
    "zh-TW": "使用者名稱或密碼不正確",
    en: "Wrong username or password",
  },
  "account.banned": {
    "zh-CN": "您的账号因'{reason}'已被管理员封禁,请联系客服!",
    "zh-TW": "你的帳號因「{reason}」已被管理員停權，請聯絡客服",
    en: "Your account was banned by an administrator: {reason}",
  },
  "account.unregistered": {
    "zh-CN": "您的账号已注销",
    "zh-TW": "你的帳號已註銷",
    en: "Your account has been closed",
  },
  "register.closed": { "zh-CN": "暂未开放注册", "zh-TW": "暫未開放註冊", en: "Registration is closed" },
  "register.userNameTaken": {
    "zh-CN": "该用户名已注册",
    "zh-TW": "該使用者名稱已註冊",
    en: "This username is taken",
  },
  "register.confirmMismatch": {
    "zh-CN": "两次输入的密码不一致",
    "zh-TW": "兩次輸入的密碼不一致",
    en: "Passwords do not match",
  },
  "register.inviteCodeWrong": {
    "zh-CN": "邀请码不正确或已失效",
    "zh-TW": "邀請碼不正確或已失效",
    en: "The invite code is wrong or no longer valid",
  },
  "register.avatarRequired": {
    "zh-CN": "请上传头像",
    "zh-TW": "請上傳大頭貼",
    en: "Please upload an avatar",
  },
  "password.oldWrong": { "zh-CN": "旧密码不正确", "zh-TW": "舊密碼不正確", en: "The old password is wrong" },
  "password.wrong": { "zh-CN": "密码不正确", "zh-TW": "密碼不正確", en: "The password is wrong" },
  "user.notFound": { "zh-CN": "用户不存在", "zh-TW": "使用者不存在", en: "There is no such user" },
  "user.notYours": {
    "zh-CN": "不允许修改其他用户的信息!",
    "zh-TW": "不允許修改其他使用者的資訊",
    en: "You can only change your own profile",
  },
  "file.notIssued": {
    "zh-CN": "文件不存在或不属于本服务器",
    "zh-TW": "檔案不存在或不屬於本伺服器",
    en: "This file was not uploaded to this server",
  },
  "friend.self": {
    "zh-CN": "不允许添加自己为好友",
    "zh-TW": "不允許新增自己為好友",
    en: "You cannot add yourself as a friend",
  },
  "friend.already": {
    "zh-CN": "对方已是您的好友",
    "zh-TW": "對方已是你的好友",
    en: "You are already friends",
  },
  "friend.blockedYou": {
    "zh-CN": "对方已将您拉入黑名单",
    "zh-TW": "對方已將你封鎖",
    en: "This person has blocked you",
  },
  "friend.requestPending": {
    "zh-CN": "您已在对方的好友申请列表中,无需重复申请",
    "zh-TW": "你已在對方的好友邀請清單中，無需重複申請",
    en: "You have already sent a request",
  },
  "friend.theirRequestsFull": {
    "zh-CN": "对方的好友申请列表已满",
    "zh-TW": "對方的好友邀請清單已滿",
    en: "This person has too many open requests",
  },
  "friend.yourRequestsFull": {
    "zh-CN": "您的好友申请列表已满",
    "zh-TW": "你的好友邀請清單已滿",
    en: "You have too many open requests",
  },
  "friend.notFriend": {
    "zh-CN": "对方不是您的好友",
    "zh-TW": "對方不是你的好友",
    en: "This person is not your friend",
  },
  "friend.requestNotYours": {
    "zh-CN": "您无法处理该请求",
    "zh-TW": "你無法處理該請求",
    en: "You cannot handle this request",
  },
  "friend.requestHandled": {
    "zh-CN": "该请求已处理",
    "zh-TW": "該請求已處理",
    en: "This request has been handled",
  },
  "group.notFound": {
    "zh-CN": "群组不存在",
    "zh-TW": "群組不存在",
    en: "Group not found or invalid group ID",
  },
  "group.dissolved": {
    "zh-CN": "群组'{name}'已解散",
    "zh-TW": "群組「{name}」已解散",
    en: "The group '{name}' has been dissolved",
  },
  "group.banned": {
    "zh-CN": "群组'{name}'已被封禁,原因:{reason}",
    "zh-TW": "群組「{name}」已被停權，原因：{reason}",
    en: "This group has been banned by administrator. Reason: {reason}",
  },
  "group.notJoined": {
    "zh-CN": "您未加入群聊",
    "zh-TW": "你未加入群組",
    en: "You have not joined this group",
  },
  "group.notMember": {
    "zh-CN": "您不是群聊的成员",
    "zh-TW": "你不是群組的成員",
    en: "You are not a member of this group",
  },
  "group.noRight": { "zh-CN": "您没有权限", "zh-TW": "你沒有權限", en: "You do not have permission" },
  "group.ownerStays": {
    "zh-CN": "不允许移除群主",
    "zh-TW": "不允許移除群主",
    en: "The owner cannot be removed",
  },
  "group.ownerMayNotQuit": {
    "zh-CN": "您是群主，不可退出群聊",
    "zh-TW": "你是群主，不可退出群組",
    en: "You own this group and cannot leave it",
  },
  "group.full": {
    "zh-CN": "群聊人数不能大于{max}人",
    "zh-TW": "群組人數不能大於{max}人",
    en: "A group has at most {max} members",
  },
  "group.notFriends": {
    "zh-CN": "部分用户不是您的好友，邀请失败",
    "zh-TW": "部分使用者不是你的好友，邀請失敗",
    en: "Some of these people are not your friends, nobody was invited",
  },
  "group.inviterNotFriend": {
    "zh-CN": "邀请人与对方已不是好友，不能通过",
    "zh-TW": "邀請人與對方已不是好友，無法通過",
    en: "This person and whoever invited them are no longer friends",
  },
  "group.cannotJoin": {
    "zh-CN": "您没有权限加入该群聊",
    "zh-TW": "你沒有權限加入該群組",
    en: "No permission to join this group",
  },
  "group.already": { "zh-CN": "您已在群聊中", "zh-TW": "你已在群組中", en: "You are already in this group" },
  "group.requestPending": {
    "zh-CN": "您已申请加入该群聊，请等待审核",
    "zh-TW": "你已申請加入該群組，請等待審核",
    en: "You have already asked to join this group",
  },
  "group.requestsFull": {
    "zh-CN": "待处理的入群申请过多，请稍后再试",
    "zh-TW": "待處理的加入申請過多，請稍後再試",
    en: "Too many requests to join are waiting, try again later",
  },
  "group.requestHandled": {
    "zh-CN": "该请求已处理",
    "zh-TW": "該請求已處理",
    en: "This request has already been handled",
  },
  "group.requestUnknown": {
    "zh-CN": "您无法处理该请求",
    "zh-TW": "你無法處理該請求",
    en: "You cannot handle this request",
  },
  "group.targetNotMember": {
    "zh-CN": "对方不是群聊的成员",
    "zh-TW": "對方不是群組的成員",
    en: "This person is not a member of the group",
  },
  "blacklist.self": { "zh-CN": "不允许拉黑自己", "zh-TW": "不允許封鎖自己", en: "You cannot block yourself" },
  "message.notFriend": {
    "zh-CN": "您已不是对方好友，无法发送消息",
    "zh-TW": "你已不是對方好友，無法傳送訊息",
    en: "You are no longer friends, the message cannot be sent",
  },
  "message.blockedYou": {
    "zh-CN": "对方已将您拉入黑名单，无法发送消息",
    "zh-TW": "對方已將你封鎖，無法傳送訊息",
    en: "This person has blocked you, the message cannot be sent",
  },
  "message.notInGroup": {
    "zh-CN": "您已不在群聊里面，无法发送消息",
    "zh-TW": "你已不在群組裡，無法傳送訊息",
    en: "You are no longer in this group and cannot send messages",
  },
  "message.allMuted": {
    "zh-CN": "群主开启了全员禁言模式,无法发送消息",
    "zh-TW": "群主開啟了全員禁言模式，無法傳送訊息",
    en: "The owner has muted everyone, you cannot send messages",
  },
  "message.muted": {
    "zh-CN": "您已被禁言，无法发送消息",
    "zh-TW": "你已被禁言，無法傳送訊息",
    en: "You have been muted and cannot send messages",
  },
  "message.mentionUnknown": {
    "zh-CN": "只能@群聊的成员",
    "zh-TW": "只能@群組的成員",
    en: "Only members of the group can be mentioned",
  },
  "message.receiptTooMany": {
    "zh-CN": "群聊人数超过{max}人，无法发送回执消息",
    "zh-TW": "群組人數超過{max}人，無法傳送需要已讀回條的訊息",
    en: "Groups of more than {max} members take no messages with receipt",
  },
  "message.tooLong": {
    "zh-CN": "内容长度不得大于{max}",
    "zh-TW": "內容長度不得大於{max}",
    en: "The text must not be longer than {max} characters",
  },
  "message.empty": { "zh-CN": "内容不能为空", "zh-TW": "內容不能為空", en: "The message is empty" },
  "message.typeNotAllowed": {
    "zh-CN": "不支持发送该类型的消息",
    "zh-TW": "不支援傳送該類型的訊息",
    en: "Messages of this type cannot be sent",
  },
  "message.notFound": { "zh-CN": "消息不存在", "zh-TW": "訊息不存在", en: "There is no such message" },
  "message.notYours": {
    "zh-CN": "这条消息不是由您发送,无法撤回",
    "zh-TW": "這則訊息不是由你傳送，無法收回",
    en: "You did not send this message",
  },
  "message.recallTooLate": {
    "zh-CN": "消息已发送超过{minutes}分钟，无法撤回",
    "zh-TW": "訊息已傳送超過{minutes}分鐘，無法收回",
    en: "Messages can be recalled for {minutes} minutes only",
  },
  "message.editTooLate": {
    "zh-CN": "消息已发送超过{minutes}分钟，无法编辑",
    "zh-TW": "訊息已傳送超過{minutes}分鐘，無法編輯",
    en: "Messages can be edited for {minutes} minutes only",
  },
  "message.notEditable": {
    "zh-CN": "这条消息无法编辑",
    "zh-TW": "這則訊息無法編輯",
    en: "This message cannot be edited",
  },
  "message.quoteUnknown": {
    "zh-CN": "引用的消息不存在",
    "zh-TW": "引用的訊息不存在",
    en: "The quoted message does not exist",
  },
  "message.shakeTooOften": {
    "zh-CN": "抖动过于频繁，请{seconds}秒后再试",
    "zh-TW": "抖動過於頻繁，請{seconds}秒後再試",
    en: "Too many nudges, try again in {seconds} s",
  },
  "call.offline": {
    "zh-CN": "您当前的网络连接已断开,请稍后重试",
    "zh-TW": "你目前的網路連線已中斷，請稍後再試",
    en: "You are not connected, try again later",
  },
  "call.notFriend": {
    "zh-CN": "您已不是对方好友，无法呼叫",
    "zh-TW": "你已不是對方好友，無法通話",
    en: "You are no longer friends, cannot make call",
  },
  "call.blockedYou": {
    "zh-CN": "对方已将您拉入黑名单，无法呼叫",
    "zh-TW": "對方已將你封鎖，無法通話",
    en: "This person has blocked you, cannot make call",
  },
  "call.youAreInCall": {
    "zh-CN": "您正在通话中",
    "zh-TW": "你正在通話中",
    en: "You are in another call",
  },
  "call.busy": {
    "zh-CN": "对方正忙,请稍后重试",
    "zh-TW": "對方正忙，請稍後再試",
    en: "The other party is busy, try again later",
  },
  "call.crossed": {
    "zh-CN": "对方正在呼叫您",
    "zh-TW": "對方正在呼叫你",
    en: "The other party is calling you",
  },
  "call.ended": { "zh-CN": "通话已结束", "zh-TW": "通話已結束", en: "The call has ended" },
  "call.answeredElsewhere": {
    "zh-CN": "已在其他设备接听",
    "zh-TW": "已在其他裝置接聽",
    en: "Answered on another device",
  },
  "call.groupRunning": {
    "zh-CN": "该群聊已存在一个通话",
    "zh-TW": "該群組已有一個通話",
    en: "This group already has a call",
  },
  "call.joinedElsewhere": {
    "zh-CN": "已在其他设备加入通话",
    "zh-TW": "已在其他裝置加入通話",
    en: "Joined on another device",
  },
  "call.notInvited": {
    "zh-CN": "您未被邀请通话",
    "zh-TW": "你未被邀請通話",
    en: "You were not invited to this call",
  },
  "call.full": {
    "zh-CN": "人员已满，无法进入通话",
    "zh-TW": "人數已滿，無法進入通話",
    en: "The call is full",
  },
  "call.notHost": {
    "zh-CN": "只有发起人可以取消通话",
    "zh-TW": "只有發起人可以取消通話",
    en: "Only who has started the call can cancel it",
  },
  "call.notIn": { "zh-CN": "您已不在通话中", "zh-TW": "你已不在通話中", en: "You are no longer in the call" },
  "upload.type": {
    "zh-CN": "文件格式错误，请上传以下格式: {types}",
    "zh-TW": "檔案格式錯誤，請上傳以下格式：{types}",
    en: "file format error, please upload these formats: {types}",
  },
  "upload.tooLarge": {
    "zh-CN": "文件大小不能超过 {max} MB",
    "zh-TW": "檔案大小不能超過 {max} MB",
    en: "file size cannot exceed {max} MB",
  },
  "upload.tooManyPixels": {
    "zh-CN": "图片像素过大",
    "zh-TW": "圖片像素過大",
    en: "The picture has too many pixels",
  },
  "upload.tooComplex": {
    "zh-CN": "图片过于复杂，无法处理",
    "zh-TW": "圖片過於複雜，無法處理",
    en: "The picture is too complex to be processed",
  },
  "upload.broken": { "zh-CN": "图片已损坏", "zh-TW": "圖片已損壞", en: "The picture is damaged" },
  "upload.dailyLimit": {
    "zh-CN": "今日上传量已达上限",
    "zh-TW": "今日上傳量已達上限",
    en: "You have reached today's upload limit",
  },
  "admin.required": {
    "zh-CN": "只有管理员可以进行此操作",
    "zh-TW": "只有管理員可以進行此操作",
    en: "Only administrators can do this",
  },
  "admin.linkInvalid": {
    "zh-CN": "此链接已失效",
    "zh-TW": "此連結已失效",
    en: "This link is not valid any more",
  },
  "admin.lastStays": {
    "zh-CN": "最后一位管理员必须保留",
    "zh-TW": "最後一位管理員必須保留",
    en: "The last administrator has to stay",
  },
  "admin.accountClosed": { "zh-CN": "该账号已注销", "zh-TW": "該帳號已註銷", en: "This account is closed" },
  "admin.accountBanned": {
    "zh-CN": "该账号已被封禁",
    "zh-TW": "該帳號已被停權",
    en: "This account is banned",
  },
  "admin.notBanned": {
    "zh-CN": "该用户未被封禁",
    "zh-TW": "該使用者未被停權",
    en: "This person is not banned",
  },
  "admin.groupNotBanned": {
    "zh-CN": "该群聊未被封禁",
    "zh-TW": "該群組未被停權",
    en: "This group is not banned",
  },
  "admin.inviteCodeUnknown": {
    "zh-CN": "没有此邀请码",
    "zh-TW": "沒有此邀請碼",
    en: "There is no such invite code",
  },
  "admin.noticeEmpty": {
    "zh-CN": "通知需要内容或链接",
    "zh-TW": "通知需要內容或連結",
    en: "A notice needs a text or a link",
  },
  "admin.noticeLink": {
    "zh-CN": "链接必须以 http:// 或 https:// 开头",
    "zh-TW": "連結必須以 http:// 或 https:// 開頭",
    en: "A link has to start with http:// or https://",
  },
  "admin.noticeReceivers": {
    "zh-CN": "没有用户名为 {names} 的用户",
    "zh-TW": "沒有使用者名稱為 {names} 的使用者",
    en: "Nobody has the username {names}",
  },
  "admin.reportUnknown": { "zh-CN": "没有此举报", "zh-TW": "沒有此檢舉", en: "There is no such report" },
  "admin.reportClosed": {
    "zh-CN": "此举报已处理",
    "zh-TW": "此檢舉已處理",
    en: "This report is closed already",
  },
  "report.self": { "zh-CN": "不能举报自己", "zh-TW": "不能檢舉自己", en: "You cannot report yourself" },
  "request.malformed": {
    "zh-CN": "{field}: {problem}",
    "zh-TW": "{field}: {problem}",
    en: "{field}: {problem}",
  },
  "request.forbidden": { "zh-CN": "没有权限", "zh-TW": "沒有權限", en: "You are not allowed to do this" },
  "request.notFound": {
    "zh-CN": "请求的资源不存在",
    "zh-TW": "請求的資源不存在",
    en: "There is nothing here",
  },
  "request.tooLarge": { "zh-CN": "请求内容过大", "zh-TW": "請求內容過大", en: "The request is too large" },
  "request.tooMany": {
    "zh-CN": "操作过于频繁，请{seconds}秒后再试",
    "zh-TW": "操作過於頻繁，請{seconds}秒後再試",
    en: "Too many requests, try again in {seconds} s",
  },
  "server.unavailable": {
    "zh-CN": "服务暂不可用，请稍后再试",
    "zh-TW": "服務暫不可用，請稍後再試",
    en: "The server is not available, try again later",
  },
  "server.storageFull": {
    "zh-CN": "服务器存储空间已满，暂时无法保存，请稍后再试",
    "zh-TW": "伺服器儲存空間已滿，暫時無法儲存，請稍後再試",
    en: "The server's storage is full, nothing can be stored for now, try again later",
  },
  "server.error": {
    "zh-CN": "服务器内部错误 ({requestId})",
    "zh-TW": "伺服器內部錯誤 ({requestId})",
    en: "Internal server error ({requestId})",
  },
};

/** Returns the message with placeholders such as `{name}` for its parameters. */
export function errorTemplateOf(key: ErrorKey, language: Language): string {
  return ERROR_MESSAGES[key][language];
}

/** Returns the message of an error with its parameters filled in. */
export function errorMessageOf(key: ErrorKey, params: ErrorParams | undefined, language: Language): string {
  return ERROR_MESSAGES[key][language].replace(/\{(\w+)\}/g, (_, name: string) =>
    String(params?.[name] ?? ""),
  );
}
