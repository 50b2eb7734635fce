import { classNames } from "../../ui/class-names.ts";
import { usePerson, usePresence } from "../../kit/people/person.ts";
import styles from "./presence.module.css";

/** Says with a dot whether a friend is online, and where. */
export function Presence({ userId }: { userId: number }) {
  const { isOnline } = usePerson(userId);
  return (
    <span className={classNames(styles.presence, isOnline && styles.online)}>{usePresence(userId)}</span>
  );
}
