import { kindOf, parseObject } from "./message.ts";

/** The text of a stored private or group message that is searched; empty for tips and recalled messages, among others. */
export function searchableContent(type: number, content: string): string {
  const searched = kindOf(type)?.searched;
  if (searched === undefined) return "";
  if (searched === "content") return content;
  const value = parseObject(content);
  return searched
    .flatMap((field) => {
      const text = value[field];
      return typeof text === "string" ? [text] : [];
    })
    .join("\n");
}
