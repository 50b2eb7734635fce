/** Sentences of tips as the store keeps them, in the server's default language; readers' clients write their own from the key. */
const TIPS = {
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
  "friend.ended": {
    "zh-CN": "你们的好友关系已被解除",
    "zh-TW": "你們的好友關係已被解除",
    en: "You are no longer friends",
  },
} as const;

export type TipKey = keyof typeof TIPS;

/** `{name}` in a sentence stands for a parameter. */
export function tipSentence(
  key: TipKey,
  language: "zh-CN" | "zh-TW" | "en",
  params: Readonly<Record<string, string>> = {},
): string {
  return TIPS[key][language].replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "");
}
