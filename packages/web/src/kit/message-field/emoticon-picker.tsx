import { useEffect, useRef, useState } from "react";
import type { KeyboardEvent, RefObject } from "react";
import { emoticonToken } from "@parley/protocol/emoticons";
import { useText } from "../i18n/i18n.ts";
import { classNames } from "../../ui/class-names.ts";
import { Row, Text } from "../../ui/layout.tsx";
import { useCloseOnOutsidePress } from "../../ui/use-close-on-outside-press.ts";
import { emoticonName } from "../i18n/emoticon-names.ts";
import { readRecent, gridRows, moveInGrid, withRecent, writeRecent } from "./emoticon-grid.ts";
import styles from "./emoticon-picker.module.css";
import fieldStyles from "./message-field.module.css";

interface EmoticonPickerProps {
  /** The button that opens and closes it. */
  opener: RefObject<HTMLElement | null>;
  onPick: (token: string) => void;
  /** The focus should return to the text field. */
  onReturnFocus: () => void;
  onClose: () => void;
}

/** A grid of emoticons: the recent ones, then all. Arrow keys move, Enter inserts one; with Shift the picker stays open. */
export function EmoticonPicker({ opener, onPick, onReturnFocus, onClose }: EmoticonPickerProps) {
  const t = useText();
  const panel = useRef<HTMLDivElement>(null);
  // Read once, so that nothing moves under the pointer; the order changes when the picker opens again.
  const [recent] = useState(readRecent);
  const rows = gridRows(recent);
  const [position, setPosition] = useState(0);
  const cells = rows.flat();
  const active = Math.min(position, cells.length - 1);

  const focusCell = (index: number) => {
    setPosition(index);
    const cell = panel.current?.querySelector<HTMLElement>(`[data-place="${index}"]`);
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: "nearest" });
  };
  useCloseOnOutsidePress(panel, opener, onClose);
  useEffect(() => {
    panel.current?.querySelector<HTMLElement>('[data-place="0"]')?.focus({ preventScroll: true });
  }, []);

  const pick = (number: number, index: number, shouldStayOpen: boolean) => {
    writeRecent(withRecent(readRecent(), number));
    onPick(emoticonToken(number));
    if (shouldStayOpen) {
      focusCell(index);
      return;
    }
    onClose();
    if (!window.matchMedia("(pointer: coarse)").matches) onReturnFocus();
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      onClose();
      onReturnFocus();
      return;
    }
    const next = moveInGrid(rows, active, event.key);
    if (next === null) {
      // A typed character belongs into the text: move the focus there before the browser inserts it.
      if ([...event.key].length !== 1 || event.key === " " || event.ctrlKey || event.metaKey) return;
      onClose();
      onReturnFocus();
      return;
    }
    event.preventDefault();
    focusCell(next);
  };

  const shown = cells[active] ?? 0;
  let index = 0;
  return (
    <div
      ref={panel}
      className={classNames(fieldStyles.popover, styles.panel)}
      role="dialog"
      aria-label={t("chat.emoticons")}
      onKeyDown={handleKeyDown}
    >
      <div className={styles.list}>
        <div role="grid" aria-label={t("chat.emoticons")}>
          {rows.map((row, rowIndex) => (
            <div
              key={rowIndex}
              role="row"
              className={classNames(styles.row, rowIndex === 0 && recent.length > 0 && styles.recent)}
            >
              {row.map((emoticon) => {
                const cellIndex = index++;
                return (
                  <button
                    key={emoticon}
                    type="button"
                    role="gridcell"
                    className={styles.cell}
                    aria-label={emoticonName(emoticon, t)}
                    tabIndex={cellIndex === active ? 0 : -1}
                    data-place={cellIndex}
                    onFocus={() => setPosition(cellIndex)}
                    onPointerEnter={() => setPosition(cellIndex)}
                    onClick={(event) => pick(emoticon, cellIndex, event.shiftKey)}
                  >
                    <img src={`/emoticons/${emoticon}.gif`} width={30} height={30} alt="" loading="lazy" />
                  </button>
                );
              })}
            </div>
          ))}
        </div>
      </div>
      <Row gap={8} justify="between" paddingX={16} size={13} className={styles.foot}>
        <span>{emoticonName(shown, t)}</span>
        <Text size={12} tone="tertiary" className={styles.hint}>
          {t("compose.shiftKeepsOpen")}
        </Text>
      </Row>
    </div>
  );
}
