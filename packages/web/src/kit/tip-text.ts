import type { Tip } from "@parley/protocol/message";
import { isNamed, peopleNamedIn, tipKeyOf } from "@parley/protocol/tips";
import type { Text } from "./i18n.ts";
import { namesInSentence } from "./names-text.ts";

/** What a tip stands in: its message, or the last line of a chat. */
interface TipMessage {
  readonly sendId: number;
  /** The server's own sentence. */
  readonly content: string;
}

/** A tip in the language and to the face of its reader; one that only a newer server knows keeps the server's words. */
export function tipText(tip: Tip, { sendId, content }: TipMessage, me: number | null, t: Text): string {
  const key = tipKeyOf(tip);
  if (key === null) return content;
  const who = (param: "name" | "author") => (me !== null && isNamed(tip, param, me, sendId) ? "me" : "other");
  const people = peopleNamedIn(tip);
  const others = people.filter((person) => me === null || person.id !== me).map(({ name }) => name);
  const names = namesInSentence(others, others.length < people.length, t);
  return t(`tip.${key}`, { ...tip.params, names, by: who("name"), of: who("author") });
}
