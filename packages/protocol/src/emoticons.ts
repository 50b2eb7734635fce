/** Names of the 57 emoticons (spec §9). The index is the number of the picture, 0.gif to 56.gif. In a text an emoticon is written as `#name;`. */
export const EMOTICONS = (
  "憨笑 媚眼 开心 坏笑 可怜 爱心 笑哭 拍手 惊喜 打气 大哭 流泪 饥饿 难受 健身 示爱 " +
  "色色 眨眼 暴怒 惊恐 思考 头晕 大吐 酷笑 翻滚 享受 鼻涕 快乐 雀跃 微笑 贪婪 红心 粉心 星星 大火 眼睛 音符 叹号 问号 " +
  "绿叶 燃烧 喇叭 警告 信封 房子 礼物 点赞 举手 喝彩 点头 摇头 偷瞄 庆祝 疾跑 打滚 惊吓 起跳"
).split(" ");

const NUMBERS = new Map(EMOTICONS.map((name, number) => [name, number]));
const TOKEN = /#([^#;\s]{1,4});/gu;

/** A part of a text: plain text, or an emoticon by its number. */
export type EmoticonPart = { readonly text: string } | { readonly emoticon: number };

/** The text form of an emoticon. */
export function emoticonToken(number: number): string {
  return `#${EMOTICONS[number] ?? ""};`;
}

/** The number of the emoticon that a text begins with; null if it begins with none. */
export function emoticonOf(text: string): number | null {
  const [part] = splitEmoticons(text);
  return part !== undefined && "emoticon" in part ? part.emoticon : null;
}

/** Splits a text at its emoticons. Unknown names stay text. */
export function splitEmoticons(text: string): EmoticonPart[] {
  const parts: EmoticonPart[] = [];
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    const number = NUMBERS.get(match[1] ?? "");
    if (number === undefined) continue;
    if (match.index > from) parts.push({ text: text.slice(from, match.index) });
    parts.push({ emoticon: number });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}
