/** Which messages of a chat alert a person, and until when: a part of the rows of friends and of members. */
export interface AlertLevel {
  /** Private chats: 1 all, 0 none. Groups: 0 all, 1 those of leaders and mentions, 2 none. */
  msgRemind: number;
  /** When the level ends, in epoch ms; null: never. */
  msgRemindUntil: number | null;
  /** The level that follows then; null if this one never ends. */
  msgRemindAfter: number | null;
}

/** An alert level that is set: `usual` is the one of a chat for which nothing was set. */
interface NewLevel {
  msgRemind: number;
  until: number | null;
  usual: number;
}

/** The alert level after a person has set it. A level with an end gives way to the last one without, or to the usual one if that is the same. */
export function changedLevel(before: AlertLevel, { msgRemind, until, usual }: NewLevel): AlertLevel {
  if (until === null) return { msgRemind, msgRemindUntil: null, msgRemindAfter: null };
  const lasting = before.msgRemindAfter ?? before.msgRemind;
  return { msgRemind, msgRemindUntil: until, msgRemindAfter: lasting === msgRemind ? usual : lasting };
}

/** The alert level that follows one whose end has come; null if it has not. */
export function levelAfter(level: AlertLevel, now: number): AlertLevel | null {
  const { msgRemindUntil, msgRemindAfter } = level;
  if (msgRemindUntil === null || msgRemindAfter === null || msgRemindUntil > now) return null;
  return { msgRemind: msgRemindAfter, msgRemindUntil: null, msgRemindAfter: null };
}
