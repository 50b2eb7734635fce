import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import type { CSSProperties, KeyboardEvent, RefObject } from "react";
import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from "lucide-react";
import { createPortal } from "react-dom";
import { IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { ICON_PROPS_16 } from "./icon-props.ts";
import { addMonths, stepDay, weeksOf, withinDays } from "./calendar-month.ts";
import { daysOf, monthOf, utcDate } from "./month.ts";
import { fitIntoWindow, pageTop } from "./popover-position.ts";
import { useCloseOnOutsidePress } from "./use-close-on-outside-press.ts";
import styles from "./calendar.module.css";
import { Card, Row, Text } from "./layout.tsx";

/** Texts of the calendar in the reader's language. */
export interface CalendarTexts {
  readonly previousYear: string;
  readonly previousMonth: string;
  readonly nextMonth: string;
  readonly nextYear: string;
  /** Label of a day: its full name, and whether it is marked. */
  readonly day: (name: string, isMarked: boolean) => string;
}

export interface CalendarProps {
  /** Name for screen readers. */
  label: string;
  /** The control beside which it opens and to which the focus returns. */
  opener: RefObject<HTMLElement | null>;
  locale: string;
  /** 0 is Sunday. */
  firstWeekday: number;
  texts: CalendarTexts;
  /** The selected day, or null. All days are YYYY-MM-DD. */
  value: string | null;
  today: string;
  min: string;
  max: string;
  /** Finds the marked days of a month; null if they are not known. */
  findMarkedDays?: (month: string) => Promise<ReadonlySet<string> | null>;
  onChoose: (day: string) => void;
  onClose: () => void;
}

const GAP_PX = 4;

/**
 * A month from which to pick a day, beside the control that opened it. Arrow keys move by days and weeks, Home and End to the ends of a week,
 * Page keys by months, with Shift by years; Enter picks, Esc closes.
 */
export function Calendar(props: CalendarProps) {
  const { label, opener, locale, firstWeekday, texts, value, today, min, max, onChoose, onClose } = props;
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(() => withinDays(value ?? today, min, max));
  const month = monthOf(active);
  const markedDays = useMarkedDays(month, props.findMarkedDays);
  const popoverPosition = usePopoverPosition(panel, opener, weeksOf(month, firstWeekday).length);
  useCloseOnOutsidePress(panel, opener, onClose);

  /** The keys move the focus in the same commit, before the next key press. The month buttons do not move it. */
  const willFocus = useRef(true);
  const focusDay = (day: string) => {
    willFocus.current = day !== active;
    setActive(day);
  };
  useLayoutEffect(() => {
    if (!willFocus.current) return;
    willFocus.current = false;
    panel.current?.querySelector<HTMLElement>(`[data-day="${active}"]`)?.focus({ preventScroll: true });
  }, [active]);

  const closeAndRestoreFocus = () => {
    onClose();
    opener.current?.focus({ preventScroll: true });
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    const isInGrid = event.target instanceof Element && event.target.closest('[role="grid"]') !== null;
    const next = isInGrid ? stepDay(active, event.key, event.shiftKey, firstWeekday) : null;
    if (event.key === "Escape") closeAndRestoreFocus();
    else if (event.key === "Tab") trapFocus(event, panel.current);
    else if (next !== null) focusDay(withinDays(next, min, max));
    if (event.key !== "Escape" && next === null) return;
    event.preventDefault();
    // Components below the calendar have shortcuts of their own.
    event.stopPropagation();
  };

  const dayName = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeZone: "UTC" });
  return createPortal(
    <Card
      ref={panel}
      variant="raised"
      className={styles.panel}
      data-sheet
      style={popoverPosition}
      role="dialog"
      aria-label={label}
      onKeyDown={handleKeyDown}
    >
      <MonthHead
        id={id}
        locale={locale}
        texts={texts}
        month={month}
        min={min}
        max={max}
        onMove={(months) => setActive(withinDays(addMonths(active, months), min, max))}
      />
      <div role="grid" aria-labelledby={id}>
        <WeekdayNames locale={locale} firstWeekday={firstWeekday} />
        {weeksOf(month, firstWeekday).map((week) => (
          <div key={week.find(Boolean)} role="row" className={styles.week}>
            {week.map((day, column) =>
              day === null ? (
                <span key={column} />
              ) : (
                <button
                  key={day}
                  type="button"
                  role="gridcell"
                  className={classNames(
                    styles.day,
                    day === today && styles.today,
                    markedDays !== null && !markedDays.has(day) && styles.plain,
                    markedDays?.has(day) === true && styles.marked,
                  )}
                  data-day={day}
                  aria-colindex={column + 1}
                  aria-label={texts.day(dayName.format(utcDate(day)), markedDays?.has(day) === true)}
                  aria-selected={day === value}
                  aria-current={day === today ? "date" : undefined}
                  tabIndex={day === active ? 0 : -1}
                  disabled={day < min || day > max}
                  onClick={() => {
                    onChoose(day);
                    closeAndRestoreFocus();
                  }}
                >
                  {Number(day.slice(-2))}
                </button>
              ),
            )}
          </div>
        ))}
      </div>
    </Card>,
    document.body,
  );
}

interface MonthHeadProps extends Pick<CalendarProps, "locale" | "texts" | "min" | "max"> {
  /** Id of the heading. */
  id: string;
  month: string;
  onMove: (months: number) => void;
}

/** The name of the month between buttons that move by a month or a year. */
function MonthHead({ id, locale, texts, month, min, max, onMove }: MonthHeadProps) {
  const monthName = new Intl.DateTimeFormat(locale, { year: "numeric", month: "long", timeZone: "UTC" });
  const renderMonthButton = (text: string, months: number, Icon: typeof ChevronLeft) => {
    const targetMonth = monthOf(addMonths(`${month}-01`, months));
    return (
      <IconButton
        label={text}
        size={32}
        hasTooltip={false}
        disabled={targetMonth < monthOf(min) || targetMonth > monthOf(max)}
        onClick={() => onMove(months)}
      >
        <Icon {...ICON_PROPS_16} />
      </IconButton>
    );
  };
  return (
    <Row className={styles.head}>
      {renderMonthButton(texts.previousYear, -12, ChevronsLeft)}
      {renderMonthButton(texts.previousMonth, -1, ChevronLeft)}
      <Text as="h2" id={id} nowrap grow size={14} weight="title" textAlign="center" aria-live="polite">
        {monthName.format(utcDate(`${month}-01`))}
      </Text>
      {renderMonthButton(texts.nextMonth, 1, ChevronRight)}
      {renderMonthButton(texts.nextYear, 12, ChevronsRight)}
    </Row>
  );
}

/** Seven days that begin with a Sunday; only their names are used. */
const SOME_WEEK = daysOf("2023-01").slice(0, 7);

function WeekdayNames({ locale, firstWeekday }: { locale: string; firstWeekday: number }) {
  const short = new Intl.DateTimeFormat(locale, { weekday: "narrow", timeZone: "UTC" });
  const long = new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" });
  const week = SOME_WEEK.map((_, index) => utcDate(SOME_WEEK[(index + firstWeekday) % 7] ?? ""));
  return (
    <div role="row" className={styles.week}>
      {week.map((day) => (
        <span
          key={day.getTime()}
          role="columnheader"
          className={styles.weekday}
          aria-label={long.format(day)}
        >
          {short.format(day)}
        </span>
      ))}
    </div>
  );
}

/** The marked days of this month; null while they are not known. */
function useMarkedDays(month: string, find: CalendarProps["findMarkedDays"]): ReadonlySet<string> | null {
  const [markedDays, setMarkedDays] = useState<{ month: string; days: ReadonlySet<string> | null } | null>(
    null,
  );
  useEffect(() => {
    let isCancelled = false;
    void find?.(month).then((days) => {
      if (!isCancelled) setMarkedDays({ month, days });
    });
    return () => {
      isCancelled = true;
    };
  }, [month, find]);
  return markedDays?.month === month ? markedDays.days : null;
}

/** Position of the panel: below its opener, moved so that it fits into the window. */
function usePopoverPosition(
  panel: RefObject<HTMLElement | null>,
  opener: RefObject<HTMLElement | null>,
  weeks: number,
): CSSProperties {
  const [position, setPosition] = useState({ left: 0, top: 0 });
  useLayoutEffect(() => {
    const updatePosition = () => {
      const box = opener.current?.getBoundingClientRect();
      if (box === undefined || panel.current === null) return;
      const { offsetWidth, offsetHeight } = panel.current;
      setPosition({
        left: fitIntoWindow(box.left + box.width / 2 - offsetWidth / 2, offsetWidth, window.innerWidth),
        top: fitIntoWindow(box.bottom + GAP_PX, offsetHeight, window.innerHeight, pageTop()),
      });
    };
    updatePosition();
    window.addEventListener("resize", updatePosition);
    return () => window.removeEventListener("resize", updatePosition);
  }, [panel, opener, weeks]);
  return position;
}

/** Makes Tab cycle within the panel. */
function trapFocus(event: KeyboardEvent, panel: HTMLElement | null): void {
  const tabStops = [...(panel?.querySelectorAll<HTMLElement>('button:enabled:not([tabindex="-1"])') ?? [])];
  const end = event.shiftKey ? tabStops[0] : tabStops.at(-1);
  if (document.activeElement !== end) return;
  event.preventDefault();
  (event.shiftKey ? tabStops.at(-1) : tabStops[0])?.focus();
}
