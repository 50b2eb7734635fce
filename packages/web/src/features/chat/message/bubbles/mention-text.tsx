import { useMemo } from "react";
import type { ChatMessage, State } from "@parley/core/model/state";
import { EVERYONE } from "@parley/protocol/codes";
import { myIdOf } from "../../../../kit/people/person.ts";
import { useClientState } from "../../../../kit/loading/use-client.ts";
import { isMentionOfMe } from "./bubble-frame.tsx";
import { withoutCode } from "./code-text.tsx";
import { MessageText } from "./message-text.tsx";
import styles from "./bubble.module.css";

interface MentionTextProps {
  message: ChatMessage;
  groupId: number;
}

/** The text of a message with mentions. */
export function MentionText({ message, groupId }: MentionTextProps) {
  const { content, group } = message;
  const ids = group?.atUserIds ?? NO_IDS;
  // All names as one string, so that this renders again only if a name changes.
  const namesJson = useClientState((state) =>
    JSON.stringify(ids.map((id) => possibleNames(state, groupId, id))),
  );
  const parts = useMemo(() => {
    const names = JSON.parse(namesJson) as string[][];
    return splitMentions(content, ids, (id) => names[ids.indexOf(id)] ?? []);
  }, [content, ids, namesJson]);
  const myId = useClientState(myIdOf);
  return parts.map((part, index) =>
    part.kind === "text" ? (
      <MessageText key={index} text={part.text} />
    ) : (
      <span
        key={index}
        className={
          !message.selfSend && isMentionOfMe(part.userId, myId) ? styles.mentionOfMe : styles.mention
        }
        data-mention={part.userId}
      >
        {part.text}
      </span>
    ),
  );
}

const NO_IDS: readonly number[] = [];

/** All names that the user may have had when the message was written. */
function possibleNames({ groups, contacts, me }: State, groupId: number, id: number): readonly string[] {
  const member = groups.members[groupId]?.byId[id];
  const friend = contacts.friends[id];
  const user = me?.id === id ? me : contacts.users[id];
  const names = [
    member?.showNickName,
    member?.remarkNickName,
    me?.id === id ? groups.byId[groupId]?.showNickName : null,
    user?.nickName,
    friend?.nickName,
    friend?.showNickName,
  ];
  return names.flatMap((name) => (name ? [name] : []));
}

/** The names of everyone after an `@`, in the languages of this client. */
export const EVERYONE_NAMES: readonly string[] = ["所有人", "Everyone"];

/** Returns the names of a user that may be in the text. */
interface MentionNames {
  /** All current and former names of the user in this group, as far as known. */
  (userId: number): readonly (string | null | undefined)[];
}

/** A part of a text: plain text or a mention. */
type MentionPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "mention"; readonly text: string; readonly userId: number };

/** An `@` and the word after it, up to a blank or punctuation. */
const AT_WORD = /@[^\s@,.;:!?，。；：！？、]+/gu;

/**
 * Splits a text into plain text and mentions. The joined parts give the whole text. The message says who is mentioned but not where, so
 * this searches for `@` and a name of one of them; the longest match wins. A name may have changed since: if as many `@words` are left
 * as users were not found, they are matched in order. Otherwise it is unclear who is meant, and they stay text. Code has no mentions.
 */
export function splitMentions(
  text: string,
  atUserIds: readonly number[],
  namesOf: MentionNames,
): readonly MentionPart[] {
  const ids = [...new Set(atUserIds)];
  const searchable = withoutCode(text);
  const found = findMentions(searchable, ids, namesOf);
  const unmatchedIds = ids.filter((id) => !found.some((one) => one.userId === id));
  const unmatchedWords = unmatchedIds.length === 0 ? [] : findUnmatchedWords(searchable, found);
  if (unmatchedWords.length === unmatchedIds.length) {
    unmatchedWords.forEach((word, index) => found.push({ ...word, userId: unmatchedIds[index] ?? EVERYONE }));
    found.sort((a, b) => a.from - b.from);
  }
  return splitAt(text, found);
}

interface FoundMention {
  readonly from: number;
  readonly to: number;
  readonly userId: number;
}

function findMentions(text: string, ids: readonly number[], namesOf: MentionNames): FoundMention[] {
  const tokens = ids
    .flatMap((userId) => {
      const names = userId === EVERYONE ? EVERYONE_NAMES : namesOf(userId);
      return [...new Set(names)].flatMap((name) => (name ? [{ token: `@${name}`, userId }] : []));
    })
    .toSorted((a, b) => b.token.length - a.token.length);
  const found: FoundMention[] = [];
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at)) {
    const candidates = tokens.filter(({ token }) => text.startsWith(token, at));
    // Two users may have the same name: each is matched once before one of them is matched twice.
    const match =
      candidates.find(
        ({ token, userId }) =>
          token.length === candidates[0]?.token.length && !found.some((one) => one.userId === userId),
      ) ?? candidates[0];
    if (match === undefined) {
      at += 1;
      continue;
    }
    found.push({ from: at, to: at + match.token.length, userId: match.userId });
    at += match.token.length;
  }
  return found;
}

function findUnmatchedWords(text: string, mentions: readonly FoundMention[]): { from: number; to: number }[] {
  return [...text.matchAll(AT_WORD)].flatMap(({ index, 0: word }) => {
    const to = index + word.length;
    const isMatched = mentions.some((one) => index < one.to && one.from < to);
    return isMatched || /\w/.test(text[index - 1] ?? "") ? [] : [{ from: index, to }];
  });
}

function splitAt(text: string, found: readonly FoundMention[]): readonly MentionPart[] {
  const parts: MentionPart[] = [];
  let end = 0;
  for (const { from, to, userId } of found) {
    if (from > end) parts.push({ kind: "text", text: text.slice(end, from) });
    parts.push({ kind: "mention", text: text.slice(from, to), userId });
    end = to;
  }
  if (end < text.length) parts.push({ kind: "text", text: text.slice(end) });
  return parts;
}
