import { useMemo } from "react";
import type { ChatMessage, State } from "@parley/core/model/state";
import { myIdOf } from "../../../../kit/person.ts";
import { useClientState } from "../../../../kit/use-client.ts";
import { splitMentions } from "./mention-parts.ts";
import { MessageText } from "./message-text.tsx";
import { isMentionOfMe } from "./use-mentions-me.ts";
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
