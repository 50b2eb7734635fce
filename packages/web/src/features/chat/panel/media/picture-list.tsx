import { useState } from "react";
import { ImageOff, Play } from "lucide-react";
import { MessageType } from "@parley/protocol/codes";
import { playTime } from "@parley/core/model/format";
import type { ChatMessage } from "@parley/core/model/state";
import { useLocale, useText } from "../../../../kit/i18n.ts";
import { listTime, monthName } from "../../../../kit/time-text.ts";
import { useClient } from "../../../../kit/use-client.ts";
import { ICON_PROPS, ICON_PROPS_14 } from "../../../../ui/icon-props.ts";
import { mediaLabel } from "../../message/message-summary.ts";
import { pictureOf, videoSeconds } from "../../message/media/media-content.ts";
import { byMonth } from "./by-month.ts";
import { moveGridFocus } from "./grid-focus.ts";
import styles from "./media-panel.module.css";

interface PictureListProps {
  messages: readonly ChatMessage[];
  onOpen: (message: ChatMessage) => void;
}

/** Pictures and videos by month; a click opens the viewer. One of them is in the tab order; the arrow keys lead to the others. */
export function PictureList({ messages, onOpen }: PictureListProps) {
  const t = useText();
  const locale = useLocale();
  const [focused, setFocused] = useState<string | null>(null);
  const months = byMonth(
    messages.filter((message) => pictureOf(message) !== null),
    (message) => message.sendTime,
    (time) => -new Date(time).getTimezoneOffset(),
  );
  const tabStop = messages.some(({ key }) => key === focused) ? focused : (months[0]?.items[0]?.key ?? null);
  return (
    <div role="group" aria-label={t("media.tab.pictures")} onKeyDown={moveGridFocus}>
      {months.map(({ month, items }) => (
        <section key={month} aria-label={monthName(items[0]?.sendTime ?? 0, locale)}>
          <h3 className={styles.month}>{monthName(items[0]?.sendTime ?? 0, locale)}</h3>
          <div className={styles.grid}>
            {items.map((message) => (
              <PictureCell
                key={message.key}
                message={message}
                isTabStop={message.key === tabStop}
                onFocus={() => setFocused(message.key)}
                onOpen={() => onOpen(message)}
              />
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}

interface PictureCellProps {
  message: ChatMessage;
  isTabStop: boolean;
  onFocus: () => void;
  onOpen: () => void;
}

function PictureCell({ message, isTabStop, onFocus, onOpen }: PictureCellProps) {
  const t = useText();
  const locale = useLocale();
  const client = useClient();
  const [hasFailed, setFailed] = useState(false);
  const thumb = pictureOf(message)?.thumbUrl ?? null;
  const seconds = videoSeconds(message);
  const label = [mediaLabel(message, t), listTime(message.sendTime, Date.now(), locale, t)];
  return (
    <button
      type="button"
      className={styles.cell}
      aria-label={label.join(t("app.listSeparator"))}
      tabIndex={isTabStop ? 0 : -1}
      data-cell
      onFocus={onFocus}
      onClick={onOpen}
    >
      {thumb === null || hasFailed ? (
        <ImageOff {...ICON_PROPS} />
      ) : (
        <img
          src={client.fileUrl(thumb)}
          alt=""
          width={88}
          height={88}
          loading="lazy"
          decoding="async"
          onError={() => setFailed(true)}
        />
      )}
      {message.type === MessageType.VIDEO && (
        <span className={styles.length}>
          <Play {...ICON_PROPS_14} fill="currentColor" />
          {seconds !== null && playTime(seconds)}
        </span>
      )}
    </button>
  );
}
