import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n.ts";
import { lazyComponent } from "../../../kit/lazy-component.tsx";
import type { Person } from "../../../kit/person.ts";
import { classNames } from "../../../ui/class-names.ts";
import type { RunPosition } from "./bubbles/bubble-frame.tsx";
import { useConversationUiState } from "./conversation-ui.ts";
import type { DeliveryStatus } from "./delivery-status.ts";
import { pictureGrid } from "./media/picture-box.ts";
import { useMaxPicturePx } from "./media/use-max-picture.ts";
import { RowAvatar, SenderLine, statusText } from "./row-parts.tsx";
import styles from "./message-row.module.css";

const PictureCells = lazyComponent(() => import("./kinds/lazy-kinds.tsx").then((part) => part.PictureCells));

interface PicturesRowProps {
  chatKey: ChatKey;
  messages: readonly ChatMessage[];
  position: RunPosition;
  sender: Person;
  /** As for `MessageRow`. */
  role?: number;
  status: DeliveryStatus | null;
  /** The message that somebody has jumped to. */
  flashingId: number | null;
}

/** Consecutive pictures of one sender as one grid. Each cell is a message with its own menu, selection and state. */
export function PicturesRow(props: PicturesRowProps) {
  const { chatKey, messages, position, sender, role, status, flashingId } = props;
  const t = useText();
  const isSelecting = useConversationUiState((state) => state.selected !== null);
  const grid = pictureGrid(messages.length, useMaxPicturePx());
  const [first] = messages;
  if (first === undefined) return null;
  const isFirst = position === "single" || position === "top";
  const statusLine = statusText(status, t);
  return (
    <div className={isFirst ? styles.first : styles.joined}>
      <div className={classNames(styles.row, first.selfSend && styles.mine)}>
        <div className={styles.avatarColumn} inert={isSelecting}>
          {isFirst && <RowAvatar sender={sender} message={first} />}
        </div>
        <div className={styles.body}>
          {isFirst && role !== undefined && <SenderLine sender={sender} role={role} />}
          <PictureCells
            chatKey={chatKey}
            messages={messages}
            grid={grid}
            senderName={first.selfSend ? t("chat.me") : sender.name}
            status={statusLine}
            flashingId={flashingId}
            waiting={<div style={{ inlineSize: grid.width, blockSize: grid.height }} />}
          />
          {statusLine !== null && <div className={styles.status}>{statusLine}</div>}
        </div>
      </div>
    </div>
  );
}
