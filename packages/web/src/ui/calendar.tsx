import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import type { CSSProperties, KeyboardEvent, RefObject } from "react";
import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from "lucide-react";
import { createPortal } from "react-dom";
import { IconButton } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { ICON_PROPS_16 } from "./icon-props.ts";
import { addMonths, daysOf, monthOf, stepDay, weeksOf, withinDays } from "./month.ts";
import styles from "./calendar.module.css";

export interface CalendarTexts {
  readonly previousYear: string;
  readonly previousMonth: string;
  readonly nextMonth: string;
  readonly nextYear: string;
  /** A day by its full name, with whether it is marked. */
  readonly day: (name: string, isMarked: boolean) => string;
}

export interface CalendarProps {
  /** Names it for screen readers. */
  label: string;
  /** What it opens at and gives the focus back to. */
  opener: RefObject<HTMLElement | null>;
  locale: string;
  /** 0 is Sunday. */
  firstWeekday: number;
  texts: CalendarTexts;
  /** All days are YYYY-MM-DD; null: none is chosen. */
  value: string | null;
  today: string;
  min: string;
  max: string;
  /** Days of a month that are marked; null: that is not known. */
  findMarkedDays?: (month: string) => Promise<ReadonlySet<string> | null>;
  onChoose: (day: string) => void;
  onClose: () => void;
}

const GAP_PX = 4;
const EDGE_PX = 8;

/**
 * A month to choose a day from, at the control that opened it. Arrow keys go by days and weeks, Home and End to the ends of a week, Page keys
 * by months, with Shift by years; Enter chooses, Esc closes.
 */
export function Calendar(props: CalendarProps) {
  const { label, opener, locale, firstWeekday, texts, value, today, min, max, onChoose, onClose } = props;
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(() => withinDays(value ?? today, min, max));
  const month = monthOf(active);
  const marks = useMarkedDays(month, props.findMarkedDays);
  const place = usePopoverPosition(panel, opener, weeksOf(month, firstWeekday).length);
  useOutside(panel, opener, onClose);

  /** The focus goes along with the keys, before the next one is pressed; the buttons of the months keep it. */
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

  const leave = () => {
    onClose();
    opener.current?.focus({ preventScroll: true });
  };
  const press = (event: KeyboardEvent) => {
    const isInGrid = event.target instanceof Element && event.target.closest('[role="grid"]') !== null;
    const next = isInGrid ? stepDay(active, event.key, event.shiftKey, firstWeekday) : null;
    if (event.key === "Escape") leave();
    else if (event.key === "Tab") keepInside(event, panel.current);
    else if (next !== null) focusDay(withinDays(next, min, max));
    if (event.key !== "Escape" && next === null) return;
    event.preventDefault();
    // What lies below has keys of its own.
    event.stopPropagation();
  };

  const dayName = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeZone: "UTC" });
  const monthName = new Intl.DateTimeFormat(locale, { year: "numeric", month: "long", timeZone: "UTC" });
  const turn = (text: string, months: number, Icon: typeof ChevronLeft) => {
    const there = monthOf(addMonths(`${month}-01`, months));
    return (
      <IconButton
        label={text}
        size={32}
        hasTooltip={false}
        disabled={there < monthOf(min) || there > monthOf(max)}
        onClick={() => setActive(withinDays(addMonths(active, months), min, max))}
      >
        <Icon {...ICON_PROPS_16} />
      </IconButton>
    );
  };
  return createPortal(
    <div
      ref={panel}
      className={styles.panel}
      style={place}
      role="dialog"
      aria-label={label}
      onKeyDown={press}
    >
      <div className={styles.head}>
        {turn(texts.previousYear, -12, ChevronsLeft)}
        {turn(texts.previousMonth, -1, ChevronLeft)}
        <h2 id={id} className={styles.month} aria-live="polite">
          {monthName.format(utcDate(`${month}-01`))}
        </h2>
        {turn(texts.nextMonth, 1, ChevronRight)}
        {turn(texts.nextYear, 12, ChevronsRight)}
      </div>
      <div role="grid" aria-labelledby={id}>
        <WeekdayNames locale={locale} firstWeekday={firstWeekday} />
        {weeksOf(month, firstWeekday).map((week) => (
          <div key={week.find(Boolean)} role="row" className={styles.week}>
            {week.map((day, at) =>
              day === null ? (
                <span key={at} />
              ) : (
                <button
                  key={day}
                  type="button"
                  role="gridcell"
                  className={classNames(
                    styles.day,
                    day === today && styles.today,
                    marks !== null && !marks.has(day) && styles.plain,
                    marks?.has(day) === true && styles.marked,
                  )}
                  data-day={day}
                  aria-colindex={at + 1}
                  aria-label={texts.day(dayName.format(utcDate(day)), marks?.has(day) === true)}
                  aria-selected={day === value}
                  aria-current={day === today ? "date" : undefined}
                  tabIndex={day === active ? 0 : -1}
                  disabled={day < min || day > max}
                  onClick={() => {
                    onChoose(day);
                    leave();
                  }}
                >
                  {Number(day.slice(-2))}
                </button>
              ),
            )}
          </div>
        ))}
      </div>
    </div>,
    document.body,
  );
}

function utcDate(day: string): Date {
  return new Date(`${day}T00:00Z`);
}

/** Any seven days that follow a Sunday: only their names count. */
const SOME_WEEK = daysOf("2023-01").slice(0, 7);

function WeekdayNames({ locale, firstWeekday }: { locale: string; firstWeekday: number }) {
  const short = new Intl.DateTimeFormat(locale, { weekday: "narrow", timeZone: "UTC" });
  const long = new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" });
  const week = SOME_WEEK.map((_, at) => utcDate(SOME_WEEK[(at + firstWeekday) % 7] ?? ""));
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

/** The marks of this month; of another one nothing is shown. */
function useMarkedDays(month: string, find: CalendarProps["findMarkedDays"]): ReadonlySet<string> | null {
  const [marks, setMarks] = useState<{ month: string; days: ReadonlySet<string> | null } | null>(null);
  useEffect(() => {
    let isOver = false;
    void find?.(month).then((days) => {
      if (!isOver) setMarks({ month, days });
    });
    return () => {
      isOver = true;
    };
  }, [month, find]);
  return marks?.month === month ? marks.days : null;
}

/** Below its opener, else where the window has room. */
function usePopoverPosition(
  panel: RefObject<HTMLElement | null>,
  opener: RefObject<HTMLElement | null>,
  weeks: number,
): CSSProperties {
  const [place, setPlace] = useState({ left: 0, top: 0 });
  useLayoutEffect(() => {
    const put = () => {
      const box = opener.current?.getBoundingClientRect();
      if (box === undefined || panel.current === null) return;
      const { offsetWidth, offsetHeight } = panel.current;
      const clamp = (at: number, size: number, room: number) =>
        Math.round(Math.max(EDGE_PX, Math.min(at, room - size - EDGE_PX)));
      setPlace({
        left: clamp(box.left + box.width / 2 - offsetWidth / 2, offsetWidth, window.innerWidth),
        top: clamp(box.bottom + GAP_PX, offsetHeight, window.innerHeight),
      });
    };
    put();
    window.addEventListener("resize", put);
    return () => window.removeEventListener("resize", put);
  }, [panel, opener, weeks]);
  return place;
}

function useOutside(
  panel: RefObject<HTMLElement | null>,
  opener: RefObject<HTMLElement | null>,
  onClose: () => void,
): void {
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  }, [onClose]);
  useEffect(() => {
    const point = ({ target }: PointerEvent) => {
      const isMine = [panel, opener].some(
        ({ current }) => target instanceof Node && current?.contains(target),
      );
      if (!isMine) close.current();
    };
    document.addEventListener("pointerdown", point);
    return () => document.removeEventListener("pointerdown", point);
  }, [panel, opener]);
}

/** Tab goes round within. */
function keepInside(event: KeyboardEvent, panel: HTMLElement | null): void {
  const stops = [...(panel?.querySelectorAll<HTMLElement>('button:enabled:not([tabindex="-1"])') ?? [])];
  const end = event.shiftKey ? stops[0] : stops.at(-1);
  if (document.activeElement !== end) return;
  event.preventDefault();
  (event.shiftKey ? stops.at(-1) : stops[0])?.focus();
}
