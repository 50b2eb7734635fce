/** The texts of call records. Clients write their own from `act`; search and older clients use these. */
import type { Language } from "../api/language.ts";

/** How a private call ended. */
export type CallEnding = "ended" | "cancelled" | "rejected" | "unanswered" | "busy" | "failed";

type Texts = Readonly<Record<Language, string>>;

const CANCELLED: Texts = { "zh-CN": "已取消", "zh-TW": "已取消", en: "Cancelled" };
const REJECTED: Texts = { "zh-CN": "已拒绝", "zh-TW": "已拒絕", en: "Rejected" };
const NOT_CONNECTED: Texts = { "zh-CN": "未接通", "zh-TW": "未接通", en: "Not connected" };
const DURATION: Texts = { "zh-CN": "通话时长", "zh-TW": "通話時長", en: "Duration" };

/** The text of the record of a private call that ended like this; `seconds` is how long the two have talked. */
export function callRecordText(ending: CallEnding, seconds: number, language: Language): string {
  if (ending === "ended") return `${DURATION[language]} ${clockTime(seconds)}`;
  if (ending === "cancelled") return CANCELLED[language];
  return (ending === "rejected" ? REJECTED : NOT_CONNECTED)[language];
}

/** mm:ss; longer calls have more minutes. */
function clockTime(seconds: number): string {
  const twoDigits = (n: number) => String(n).padStart(2, "0");
  return `${twoDigits(Math.floor(seconds / 60))}:${twoDigits(seconds % 60)}`;
}
