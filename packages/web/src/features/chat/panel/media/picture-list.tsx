import { useState } from "react";
import type { KeyboardEvent } from "react";
import { ImageOff, Play } from "lucide-react";
import { playTime } from "@parley/core/model/format";
import type { ChatMessage } from "@parley/core/model/state";
import { MessageType } from "@parley/protocol/codes";
import { useLocale, useText } from "../../../../kit/i18n/i18n.ts";
import { listTime, monthName } from "../../../../kit/i18n/time-text.ts";
import { useClient } from "../../../../kit/loading/use-client.ts";
import { ICON_PROPS, ICON_PROPS_14 } from "../../../../ui/icon-props.ts";
import { Row } from "../../../../ui/layout.tsx";
import { pictureOf, videoSeconds } from "../../message/media/media-content.ts";
import { mediaLabel } from "../../message/message-summary.ts";
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
        <Row as="span" gap={2} size={11} className={styles.length}>
          <Play {...ICON_PROPS_14} fill="currentColor" />
          {seconds !== null && playTime(seconds)}
        </Row>
      )}
    </button>
  );
}

/** Items of one month of the reader's calendar. */
interface Month<Item> {
  /** YYYY-MM */
  readonly month: string;
  readonly items: readonly Item[];
}

/** Groups items by the month of their time, in their order. `offsetAt`: minutes east of UTC at a time (epoch ms). */
export function byMonth<Item>(
  items: readonly Item[],
  timeOf: (item: Item) => number,
  offsetAt: (time: number) => number,
): readonly Month<Item>[] {
  const months: { month: string; items: Item[] }[] = [];
  for (const item of items) {
    const time = timeOf(item);
    const month = new Date(time + offsetAt(time) * 60_000).toISOString().slice(0, 7);
    const last = months.at(-1);
    if (last?.month === month) last.items.push(item);
    else months.push({ month, items: [item] });
  }
  return months;
}

/** The pictures in a row of the side panel. */
const GRID_COLUMNS = 3;

/** The index that a key leads to in a grid of this many cells; null: it is no key of a grid. */
export function gridTarget(key: string, index: number, count: number): number | null {
  const target = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index - GRID_COLUMNS,
    ArrowDown: index + GRID_COLUMNS,
    Home: 0,
    End: count - 1,
  }[key];
  if (target === undefined) return null;
  return target < 0 || target >= count ? index : target;
}

/** The arrow keys, Home and End move the focus between the buttons of a grid. */
function moveGridFocus(event: KeyboardEvent<HTMLElement>): void {
  const cells = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-cell]")];
  const index = cells.findIndex((cell) => cell === document.activeElement);
  if (index < 0) return;
  const target = gridTarget(event.key, index, cells.length);
  if (target === null) return;
  event.preventDefault();
  cells[target]?.focus();
}
