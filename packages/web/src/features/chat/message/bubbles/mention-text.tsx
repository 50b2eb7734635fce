import { useMemo } from "react";
import type { ChatMessage, State } from "@parley/core/model/state";
import { useClientState } from "../../../../kit/use-client.ts";
import { splitMentions } from "./mention-parts.ts";
import { MessageText } from "./message-text.tsx";
import { isMentionOfMe, myIdOf } from "./use-mentions-me.ts";
import styles from "./bubble.module.css";

interface MentionTextProps {
  message: ChatMessage;
  groupId: number;
}

/** The words of a message that names people. */
export function MentionText({ message, groupId }: MentionTextProps) {
  const { content, group } = message;
  const ids = group?.atUserIds ?? NO_NAMES;
  // One text for all names, so that only new names draw this again.
  const known = useClientState((state) => JSON.stringify(ids.map((id) => namesIn(state, groupId, id))));
  const parts = useMemo(() => {
    const names = JSON.parse(known) as string[][];
    return splitMentions(content, ids, (id) => names[ids.indexOf(id)] ?? []);
  }, [content, ids, known]);
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

const NO_NAMES: readonly number[] = [];

/** All that somebody may have been called when the message was written. */
function namesIn({ groups, contacts, me }: State, groupId: number, id: number): readonly string[] {
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
