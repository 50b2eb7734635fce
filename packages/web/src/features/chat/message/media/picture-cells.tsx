import { memo, useState } from "react";
import { Ellipsis } from "lucide-react";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { useLocale, useText } from "../../../../kit/i18n.ts";
import { clockTime } from "../../../../kit/time-text.ts";
import { classNames } from "../../../../ui/class-names.ts";
import { ICON_PROPS_16 } from "../../../../ui/icon-props.ts";
import { MessageMeta } from "../bubbles/bubble-frame.tsx";
import {
  toggleSelected,
  useCanWrite,
  useConversationUi,
  useConversationUiState,
} from "../conversation-ui.ts";
import { messageLabel } from "../message-summary.ts";
import { SelectionCheckbox } from "../selection-checkbox.tsx";
import { useRowGestures } from "../use-row-gestures.ts";
import { pictureOf } from "./media-content.ts";
import { MediaPicture } from "./media-picture.tsx";
import { openViewer } from "./open-viewer.ts";
import type { PictureGrid } from "./picture-box.ts";
import { UploadRing } from "./upload-ring.tsx";
import bubbleStyles from "../bubbles/bubble.module.css";
import styles from "./media.module.css";

interface PictureCellsProps {
  chatKey: ChatKey;
  messages: readonly ChatMessage[];
  grid: PictureGrid;
  senderName: string;
  /** The delivery status of the last one, in words. */
  status: string | null;
  flashingId: number | null;
}

/** The cells of a grid of pictures. The last one shows the time. */
export function PictureCells({ chatKey, messages, grid, senderName, status, flashingId }: PictureCellsProps) {
  const { columns, cell, gap } = grid;
  return (
    <div
      className={styles.grid}
      style={{ gap, gridTemplateColumns: `repeat(${columns}, ${cell}px)` }}
      data-pictures={messages.length}
    >
      {messages.map((message, index) => (
        <PictureCell
          key={message.key}
          chatKey={chatKey}
          message={message}
          size={cell}
          senderName={senderName}
          status={index === messages.length - 1 ? status : null}
          hasTime={index === messages.length - 1}
          isFlashing={flashingId !== null && message.id === flashingId}
        />
      ))}
    </div>
  );
}

interface PictureCellProps {
  chatKey: ChatKey;
  message: ChatMessage;
  /** px */
  size: number;
  senderName: string;
  status: string | null;
  hasTime: boolean;
  isFlashing: boolean;
}

const PictureCell = memo(function PictureCell(props: PictureCellProps) {
  const { chatKey, message, size, senderName, status, hasTime, isFlashing } = props;
  const t = useText();
  const locale = useLocale();
  const ui = useConversationUi();
  const { openMenu, ...gestures } = useRowGestures(message, useCanWrite());
  const isSelecting = useConversationUiState((state) => state.selected !== null);
  const isSelected = useConversationUiState((state) => state.selected?.has(message.key) === true);
  const hasMenu = useConversationUiState((state) => state.messageMenu?.key === message.key);
  const [isHovered, setHovered] = useState(false);
  const { id, tmpId, selfSend } = message;
  const picture = pictureOf(message);
  const summary = messageLabel(message, t);
  const label = [senderName, summary, clockTime(message.sendTime, locale), status];
  return (
    <div
      className={classNames(styles.cell, bubbleStyles.cell)}
      style={{ inlineSize: size, blockSize: size }}
      role="article"
      aria-label={label.filter(Boolean).join(t("app.listSeparator"))}
      tabIndex={-1}
      data-key={message.key}
      data-mid={id ?? tmpId ?? message.key}
      data-seen-id={selfSend ? undefined : (id ?? undefined)}
      data-flash={isFlashing ? "" : undefined}
      {...gestures}
      onClick={isSelecting && id !== null ? () => toggleSelected(ui, message) : undefined}
      onPointerEnter={(event) => event.pointerType === "mouse" && setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={(event) => event.target.matches(":focus-visible") && setHovered(true)}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setHovered(false)}
    >
      <div inert={isSelecting}>
        {picture === null ? (
          <span className={styles.unreadable}>{t("chat.unsupported")}</span>
        ) : (
          <MediaPicture
            message={message}
            picture={picture}
            width={size}
            height={size}
            isCut
            label={summary}
            onOpen={() => openViewer({ chatKey, messageKey: message.key })}
          >
            <span className={styles.centre}>
              <UploadRing chatKey={chatKey} message={message} isOnPicture />
            </span>
          </MediaPicture>
        )}
        {hasTime && <MessageMeta chatKey={chatKey} message={message} />}
        {(isHovered || hasMenu) && !isSelecting && id !== null && (
          <button
            type="button"
            className={styles.more}
            aria-label={t("act.more")}
            aria-haspopup="menu"
            onClick={(event) => {
              const box = event.currentTarget.getBoundingClientRect();
              openMenu(box.left, box.bottom + 4);
            }}
          >
            <Ellipsis {...ICON_PROPS_16} />
          </button>
        )}
      </div>
      {isSelecting && (
        <SelectionCheckbox message={message} isSelected={isSelected} className={styles.chosen} />
      )}
    </div>
  );
});
