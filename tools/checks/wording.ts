import { existsSync } from "node:fs";
import { ERRORS_FILE, readErrorSentences, readTextFiles } from "../lib/catalogue.ts";
import { type Check } from "../lib/check-type.ts";
import { parseSource, visit } from "../lib/parse-source.ts";

type Language = "zh-CN" | "zh-TW" | "en";
type WordRule = readonly [wrong: RegExp, right: string];

/** One word for one thing in each language: words that we do not use, and what we use instead. */
const WORD_RULES: Readonly<Record<Language, readonly WordRule[]>> = {
  "zh-CN": [
    [/您/, "你"],
    [/群组/, "群聊"],
    [/黑名单|屏蔽/, "拉黑"],
    [/\.\.\./, "…"],
    [/[！!]/, "。"],
    [/[「」]/, "“”"],
  ],
  "zh-TW": [
    [/您/, "你"],
    [/撤回|撤銷/, "收回"],
    [/群聊/, "群組"],
    [/群(?![組主聊發])/, "群組"],
    [/好友申請/, "好友邀請"],
    [/在線|線上/, "上線"],
    [/打擾/, "勿擾"],
    [/封禁|封號/, "停權"],
    [/拉黑|黑名單|屏蔽/, "封鎖"],
    [/[“”]/, "「」"],
    [/用戶/, "使用者"],
    [/信息/, "資訊"],
    [/消息/, "訊息"],
    [/發送/, "傳送"],
    [/設置/, "設定"],
    [/(?<!API )文件/, "檔案"],
    [/視頻/, "影片"],
    [/網絡/, "網路"],
    [/服務器/, "伺服器"],
    [/屏幕|熒幕/, "螢幕"],
    [/默認|缺省/, "預設"],
    [/質量/, "品質"],
    [/加載/, "載入"],
    [/菜單/, "選單"],
    [/列表/, "清單"],
    [/登錄/, "登入"],
    [/刷新/, "重新整理"],
    [/搜索/, "搜尋"],
    [/頭像/, "大頭貼"],
    [/昵稱/, "暱稱"],
    [/回執/, "回條"],
    [/命令/, "指令"],
    [/鏈接/, "連結"],
    [/軟件|程序/, "軟體"],
    [/界面/, "介面"],
    [/支持/, "支援"],
    [/粘貼/, "貼上"],
    [/激活/, "啟用"],
    [/里(?!程)/, "裡"],
    [/后/, "後"],
    [/\.\.\./, "…"],
    [/[！!]/, "。"],
  ],
  en: [
    [/user name/i, "username"],
    [/\bsh(ake|akes|ook|aking)\b/i, "nudge"],
    [/\.\.\./, "…"],
    [/!/, "."],
    [/^[a-z]/, "a capital first"],
  ],
};

/** Texts that the specification or the contract prescribes word for word. */
const QUOTED: ReadonlySet<string> = new Set([
  "Connection lost, trying to reconnect...",
  "screenshot failed",
  "no permission, contact the administrator",
  "requested resource does not exist",
  "internal server error",
  "file size cannot exceed {max}",
  "file size cannot exceed {max} MB",
  "file format error, please upload these formats: {types}",
  "at most {maxSize} members can be selected",
  "failed to open the camera",
  "failed to open the microphone",
  "device does not support calling",
  "the other party rejected your call",
  "you did not answer",
  "the other party cancelled the call",
  "the other party hung up",
  "answered on another device",
  "rejected on another device",
  "call cancelled",
  "did not join the call",
  "quit the call",
  "您的账号已注销",
  "您已被移出群聊",
]);

const REMEDY =
  "change the text, or if the specification prescribes it, add it to QUOTED in tools/checks/wording.ts";

/** Keys of parts of sentences, which begin with a small letter. */
const PARTS = /^(emoticon|names|groupCall\.left)\./;

const CATALOGUES = { "zh-CN": "zh-CN", "zh-TW": "zh-TW", "en-US": "en" } as const;
/** A file with texts of the server. The contract prescribes the zh-CN texts of tips and errors, so they are not checked. */
const TIPS = "packages/server/src/presenters/tip-sentences.ts";

interface CheckedText {
  readonly where: string;
  readonly key: string;
  readonly text: string;
  readonly language: Language;
}

/** Each language uses one word for one thing, in the texts of the client and of the server. */
export const wording: Check = {
  name: "wording",
  async run(root) {
    return [...textsOfClient(root), ...textsOfErrors(root), ...textsOfTips(root)].flatMap(
      ({ where, key, text, language }) => {
        if (QUOTED.has(text) || (language === "en" && PARTS.test(key))) return [];
        const problems = WORD_RULES[language].flatMap(([wrong, right]) => {
          const found = wrong.exec(text)?.[0];
          return found === undefined ? [] : [`${where} says ${found} in ${key}; ours is ${right}: ${REMEDY}`];
        });
        const nonTaiwanese = language === "zh-TW" ? [...text].filter((char) => !isOfTaiwan(char)) : [];
        return [
          ...problems,
          ...nonTaiwanese.map(
            (char) =>
              `${where} says ${char} in ${key}, which is not used in Taiwan; write the traditional character`,
          ),
        ];
      },
    );
  },
};

function textsOfClient(root: string): CheckedText[] {
  return Object.entries(CATALOGUES).flatMap(([locale, language]) => {
    const texts = [...readTextFiles(root, locale).values()].flatMap((file) => Object.entries(file));
    return texts.map(([key, text]) => ({ where: locale, key, text, language }));
  });
}

function textsOfErrors(root: string): CheckedText[] {
  return Object.entries(readErrorSentences(root)).flatMap(([key, sentences]) =>
    (["zh-TW", "en"] as const).map((language) => ({
      where: `${ERRORS_FILE}, ${language},`,
      key,
      text: sentences[language] ?? "",
      language,
    })),
  );
}

/** The texts of a table `key: { "zh-TW": "...", en: "..." }`. */
function textsOfTips(root: string): CheckedText[] {
  const texts: CheckedText[] = [];
  if (!existsSync(`${root}/${TIPS}`)) return texts;
  visit(parseSource(root, `${root}/${TIPS}`), {
    Property({ key, value }) {
      if (value.type !== "ObjectExpression") return;
      for (const property of value.properties) {
        if (property.type !== "Property" || property.value.type !== "Literal") continue;
        const language = nameOf(property.key);
        const text = property.value.value;
        if ((language === "zh-TW" || language === "en") && typeof text === "string")
          texts.push({ where: `${TIPS}, ${language},`, key: nameOf(key), text, language });
      }
    },
  });
  return texts;
}

function nameOf(key: { type: string; name?: unknown; value?: unknown }): string {
  return String(key.type === "Identifier" ? key.name : key.value);
}

/** All characters of Big5, the characters that are used in Taiwan. */
const BIG5 = new Set(
  Array.from({ length: 0xf9 - 0xa4 + 1 }, (_, row) =>
    new TextDecoder("big5").decode(
      Uint8Array.from(
        Array.from({ length: 0xfe - 0x40 + 1 }, (_, column) => [0xa4 + row, 0x40 + column])
          .filter(([, low = 0]) => low <= 0x7e || low >= 0xa1)
          .flat(),
      ),
    ),
  ).flatMap((row) => [...row]),
);

function isOfTaiwan(char: string): boolean {
  return !/\p{Script=Han}/u.test(char) || BIG5.has(char);
}
