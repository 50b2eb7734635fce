import type { Tip } from "@parley/protocol/message";
import { isNamed, peopleNamedIn, tipKeyOf } from "@parley/protocol/tips";
import type { Text } from "../i18n/i18n.ts";
import { namesInSentence } from "../i18n/names-text.ts";

/** The message of a tip, or the last line of a chat. */
interface TipMessage {
  readonly sendId: number;
  /** The server's own text. */
  readonly content: string;
}

/** The text of a tip in the reader's language, addressing the reader as "you". An unknown tip of a newer server shows the server's text. */
export function tipText(tip: Tip, { sendId, content }: TipMessage, me: number | null, t: Text): string {
  const key = tipKeyOf(tip);
  if (key === null) return content;
  const readerOr = (param: "name" | "author") =>
    me !== null && isNamed(tip, param, me, sendId) ? "me" : "other";
  const people = peopleNamedIn(tip);
  const others = people.filter((person) => me === null || person.id !== me).map(({ name }) => name);
  const names = namesInSentence(others, others.length < people.length, t);
  return t(`tip.${key}`, { ...tip.params, names, by: readerOr("name"), of: readerOr("author") });
}
