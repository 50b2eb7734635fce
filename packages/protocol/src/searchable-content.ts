import { MessageType } from "./codes.ts";
import { kindOf } from "./message.ts";

/** Fields of JSON contents that are searched. */
const SEARCHED_FIELDS: Readonly<Record<number, readonly string[]>> = {
  [MessageType.FILE]: ["name"],
  [MessageType.REDENVELOPE]: ["message"],
  [MessageType.TRANSFER]: ["remark"],
  [MessageType.LOCATION]: ["name", "address"],
  [MessageType.BUSINESS_CARD]: ["nickName"],
};

/** The text of a stored private or group message that is searched; empty for tips and recalled messages, among others. */
export function searchableContent(type: number, content: string): string {
  const kind = kindOf(type);
  if (kind === undefined || !kind.shown || type === MessageType.TIP_TEXT || type === MessageType.TIP_TIME)
    return "";
  if (kind.content !== "json") return content;
  const value = parse(content);
  return (SEARCHED_FIELDS[type] ?? [])
    .flatMap((field) => {
      const text = value[field];
      return typeof text === "string" ? [text] : [];
    })
    .join("\n");
}

function parse(content: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
