import { Link } from "lucide-react";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { ICON_PROPS } from "../../../../ui/icon-props.ts";
import { linksOf } from "../../message/bubbles/link-parts.ts";
import { JumpButton, MessageDetails } from "./file-list.tsx";
import styles from "./media-panel.module.css";

interface LinkListProps {
  chatKey: ChatKey;
  messages: readonly ChatMessage[];
  onJump: (message: ChatMessage) => void;
}

/** Every link of the messages. */
export function LinkList({ chatKey, messages, onJump }: LinkListProps) {
  return (
    <ul className={styles.list}>
      {messages.flatMap((message) =>
        linksOf(message.content).map((href) => (
          <li key={`${message.key} ${href}`} className={styles.item}>
            <a className={styles.itemOpen} href={href} target="_blank" rel="noopener noreferrer nofollow">
              <span className={styles.linkIcon}>
                <Link {...ICON_PROPS} />
              </span>
              <span className={styles.itemText}>
                <bdi className={styles.url}>{href}</bdi>
                <MessageDetails chatKey={chatKey} message={message} />
              </span>
            </a>
            <JumpButton onJump={() => onJump(message)} />
          </li>
        )),
      )}
    </ul>
  );
}
