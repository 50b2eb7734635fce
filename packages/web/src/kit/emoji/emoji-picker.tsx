import { memo, useDeferredValue, useEffect, useEffectEvent, useId, useMemo, useRef, useState } from "react";
import type { ComponentType, KeyboardEvent, SyntheticEvent } from "react";
import {
  Car,
  Flag,
  Lightbulb,
  PawPrint,
  Shapes,
  Smile,
  Sticker,
  ThumbsUp,
  Utensils,
  Volleyball,
} from "lucide-react";
import { emoticonOf, EMOTICONS, emoticonToken } from "@parley/protocol/emoticons";
import { classNames } from "../../ui/class-names.ts";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import { useImeGuard } from "../../ui/ime.ts";
import { Row, Stack, Text } from "../../ui/layout.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { emoticonName } from "../i18n/emoticon-names.ts";
import { useLocale, useText } from "../i18n/i18n.ts";
import type { TextId, Translate } from "../i18n/i18n.ts";
import { useNameMatch } from "../search/pinyin.ts";
import {
  gridRows,
  moveInGrid,
  readRecent,
  readTone,
  withRecent,
  writeRecent,
  writeTone,
} from "./emoji-grid.ts";
import { EMOJI_GROUPS, TONES, useEmojiList, withoutTone, withTone } from "./emoji-list.ts";
import type { Emoji, EmojiGroup, EmojiList } from "./emoji-list.ts";
import { findEmoji } from "./find-emoji.ts";
import styles from "./emoji-picker.module.css";

type Group = EmojiGroup | "emoticons";

const GROUPS: readonly Group[] = ["emoticons", ...EMOJI_GROUPS];

const GROUP_LOOKS: Readonly<Record<Group, { text: TextId; Icon: ComponentType<typeof ICON_PROPS> }>> = {
  emoticons: { text: "emoji.emoticons", Icon: Sticker },
  smileys: { text: "emoji.smileys", Icon: Smile },
  people: { text: "emoji.people", Icon: ThumbsUp },
  animals: { text: "emoji.animals", Icon: PawPrint },
  food: { text: "emoji.food", Icon: Utensils },
  travel: { text: "emoji.travel", Icon: Car },
  activities: { text: "emoji.activities", Icon: Volleyball },
  objects: { text: "emoji.objects", Icon: Lightbulb },
  symbols: { text: "emoji.symbols", Icon: Shapes },
  flags: { text: "emoji.flags", Icon: Flag },
};

const TONE_CHOICES: readonly { tone: string | null; text: TextId }[] = [
  { tone: null, text: "emoji.toneNone" },
  { tone: TONES[0], text: "emoji.toneLight" },
  { tone: TONES[1], text: "emoji.toneMediumLight" },
  { tone: TONES[2], text: "emoji.toneMedium" },
  { tone: TONES[3], text: "emoji.toneMediumDark" },
  { tone: TONES[4], text: "emoji.toneDark" },
];

/** What a button of the grid picks. */
interface Cell {
  readonly key: string;
  readonly name: string;
  /** The number of its picture; null for an emoji, which the system's font draws. */
  readonly emoticon: number | null;
}

/** A part of the grid. */
interface Section {
  readonly label: string;
  readonly cells: readonly Cell[];
}

interface EmojiPickerProps {
  /** Gets an emoji, or the token of an emoticon. */
  onPick: (key: string) => void;
  /** Called after Esc, and after a choice without Shift. What was focused before should get the focus back. */
  onClose: () => void;
  /** Shows the product's emoticons too, before the emoji. */
  hasEmoticons?: boolean;
}

/**
 * Emoji by group, with those that were used recently on top, and a search by name, word and pinyin. Arrow keys move, Enter picks, with Shift
 * the picker stays open, letters search. It is as large as its content; who shows it places it, and closes it at a press outside.
 */
export function EmojiPicker({ onPick, onClose, hasEmoticons = false }: EmojiPickerProps) {
  const t = useText();
  const panel = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const gridId = useId();
  const ime = useImeGuard();
  const groups = hasEmoticons ? GROUPS : EMOJI_GROUPS;
  const [group, setGroup] = useState<Group>(groups[0] ?? "smileys");
  const [query, setQuery] = useState("");
  /** Set from Enter in the search until what was typed is shown: then the first one is picked. */
  const waitingEnter = useRef<{ readonly shouldStayOpen: boolean } | null>(null);
  const [tone, setTone] = useState(readTone);
  const [position, setPosition] = useState(0);
  const { list, hasFailed } = useEmojiList(useLocale());
  const wanted = useDeferredValue(query.trim());
  const sections = useSections({ list, group, wanted, tone, hasEmoticons });
  const parts = useMemo(
    () => sections.map(({ label, cells }) => ({ label, rows: gridRows(cells) })),
    [sections],
  );
  const rows = parts.flatMap((part) => part.rows);
  const cells = rows.flat();
  const active = Math.max(0, Math.min(position, cells.length - 1));

  const focusCell = (index: number) => {
    setPosition(index);
    const cell = panel.current?.querySelector<HTMLElement>(`[data-place="${index}"]`);
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: "nearest" });
  };
  const hasCells = cells.length > 0;
  useEffect(() => {
    const box = panel.current;
    const focused = document.activeElement;
    // The emoji may still be loading; meanwhile somebody may have begun to search.
    if (box === null || (box !== focused && box.contains(focused))) return;
    (box.querySelector<HTMLElement>('[data-place="0"]') ?? box).focus({ preventScroll: true });
  }, [hasCells]);

  const changeQuery = (text: string) => {
    setQuery(text);
    waitingEnter.current = null;
    setPosition(0);
  };
  const openGroup = (next: Group) => {
    setGroup(next);
    changeQuery("");
  };
  const pick = (index: number, shouldStayOpen: boolean) => {
    const key = cells[index]?.key;
    if (key === undefined) return;
    writeRecent(withRecent(readRecent(), key));
    onPick(key);
    if (shouldStayOpen) focusCell(index);
    else onClose();
  };
  // What was typed just now is shown a moment later, and the emoji may still be loading.
  const isFound = wanted !== "" && wanted === query.trim() && (list !== null || hasFailed);
  const pickFirst = useEffectEvent(() => {
    const enter = waitingEnter.current;
    waitingEnter.current = null;
    if (enter !== null) pick(0, enter.shouldStayOpen);
  });
  useEffect(() => {
    if (isFound) pickFirst();
  }, [isFound, wanted]);
  const handleGridKey = (event: KeyboardEvent) => {
    const isInFirstRow = active < (rows[0]?.length ?? 0);
    const next = event.key === "ArrowUp" && isInFirstRow ? null : moveInGrid(rows, active, event.key);
    if (next !== null) {
      event.preventDefault();
      focusCell(next);
    } else if (event.key === "ArrowUp" || isTyped(event)) {
      // A typed character belongs into the search: move the focus there before the browser inserts it.
      search.current?.focus();
    }
  };
  const handleSearchKey = (event: KeyboardEvent) => {
    if (ime.isComposing(event)) return;
    if (event.key === "ArrowDown") focusCell(0);
    else if (event.key !== "Enter") return;
    else if (isFound) pick(0, event.shiftKey);
    else waitingEnter.current = { shouldStayOpen: event.shiftKey };
    event.preventDefault();
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.target === event.currentTarget && isTyped(event)) search.current?.focus();
    if (event.key !== "Escape" || ime.isComposing(event)) return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  };

  return (
    <Stack ref={panel} className={styles.picker} tabIndex={-1} onKeyDown={handleKey}>
      <Row shrink={false} className={styles.head}>
        <SearchBox
          ref={search}
          label={t("emoji.search")}
          value={query}
          aria-controls={gridId}
          onChange={(event) => changeQuery(event.currentTarget.value)}
          onKeyDown={handleSearchKey}
          {...ime.handlers}
        />
      </Row>
      <GroupTabs
        groups={groups}
        selected={query === "" ? group : null}
        gridId={gridId}
        onSelect={openGroup}
      />
      <div key={wanted === "" ? group : ""} className={styles.list}>
        <div
          id={gridId}
          role="grid"
          aria-label={t("chat.emoticons")}
          tabIndex={-1}
          onKeyDown={handleGridKey}
          onFocus={(event) => setPosition(placeOf(event) ?? active)}
          onPointerOver={(event) => setPosition(placeOf(event) ?? active)}
          onClick={(event) => pick(placeOf(event) ?? -1, event.shiftKey)}
        >
          <Grid key={wanted === "" ? group : ""} parts={parts} active={active} />
        </div>
        {list === null && !hasFailed && !hasCells && (
          <Row justify="center" paddingY={24}>
            <Spinner />
          </Row>
        )}
        {hasFailed && <Note text={t("app.chunkFailed")} />}
        {list !== null && wanted !== "" && !hasCells && <Note text={t("search.empty")} />}
      </div>
      <Foot
        name={cells[active]?.name ?? ""}
        tone={tone}
        onToneChange={(next) => {
          writeTone(next);
          setTone(next);
        }}
      />
    </Stack>
  );
}

/** The number of the cell in which an event happened. */
function placeOf({ target }: SyntheticEvent): number | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>("[data-place]") : null;
  return cell === null ? null : Number(cell.dataset["place"]);
}

function isTyped({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return [...key].length === 1 && key !== " " && !ctrlKey && !metaKey;
}

function emoticonCell(number: number, t: Translate): Cell {
  return { key: emoticonToken(number), name: emoticonName(number, t), emoticon: number };
}

interface SectionsProps {
  list: EmojiList | null;
  group: Group;
  /** What is searched; empty shows the group. */
  wanted: string;
  tone: string | null;
  hasEmoticons: boolean;
}

/** What was found, or the recent ones (before the first group) and the group. */
function useSections({ list, group, wanted, tone, hasEmoticons }: SectionsProps): readonly Section[] {
  const t = useText();
  const match = useNameMatch(wanted !== "");
  // Read once, so that nothing moves under the pointer; the order changes when the picker opens again.
  const [recent] = useState(readRecent);
  const emoticons = useMemo(() => (hasEmoticons ? [...EMOTICONS.keys()] : []), [hasEmoticons]);
  const emoji = useMemo(() => EMOJI_GROUPS.flatMap((name) => list?.[name] ?? []), [list]);
  return useMemo(() => {
    const emojiCell = (item: Emoji): Cell => ({ key: withTone(item, tone), name: item.name, emoticon: null });
    if (wanted !== "") {
      const all = [
        ...emoticons.map((number) => ({ ...emoticonCell(number, t), words: [] })),
        ...emoji.map((item) => ({ ...emojiCell(item), words: item.words })),
      ];
      return [{ label: t("search.results"), cells: findEmoji(all, wanted, match) }];
    }
    const cells =
      group === "emoticons"
        ? emoticons.map((number) => emoticonCell(number, t))
        : (list?.[group] ?? []).map(emojiCell);
    const section = { label: t(GROUP_LOOKS[group].text), cells };
    if (group !== (hasEmoticons ? "emoticons" : "smileys")) return [section];
    const names = new Map(emoji.map((item) => [withoutTone(item.emoji), item.name]));
    const recentCells = recent.flatMap((key) => {
      const number = emoticonOf(key);
      if (number !== null) return hasEmoticons ? [emoticonCell(number, t)] : [];
      return [{ key, name: names.get(withoutTone(key)) ?? key, emoticon: null }];
    });
    return recentCells.length === 0 ? [section] : [{ label: t("emoji.recent"), cells: recentCells }, section];
  }, [list, emoji, emoticons, group, wanted, tone, hasEmoticons, recent, match, t]);
}

interface GroupTabsProps {
  groups: readonly Group[];
  /** Null while something is searched. */
  selected: Group | null;
  gridId: string;
  onSelect: (group: Group) => void;
}

function GroupTabs({ groups, selected, gridId, onSelect }: GroupTabsProps) {
  const t = useText();
  const list = useRef<HTMLDivElement>(null);
  const handleKeyDown = (event: KeyboardEvent) => {
    const at = selected === null ? 0 : groups.indexOf(selected);
    const next = moveInGrid([groups], at, event.key);
    const group = next === null ? undefined : groups[next];
    if (next === null || group === undefined || event.key === "ArrowDown" || event.key === "ArrowUp") return;
    event.preventDefault();
    onSelect(group);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={t("emoji.groups")}
      tabIndex={-1}
      className={styles.tabs}
      onKeyDown={handleKeyDown}
    >
      {groups.map((group, index) => {
        const { text, Icon } = GROUP_LOOKS[group];
        const isSelected = group === selected;
        return (
          <button
            key={group}
            type="button"
            role="tab"
            className={styles.tab}
            aria-label={t(text)}
            aria-selected={isSelected}
            aria-controls={gridId}
            tabIndex={isSelected || (selected === null && index === 0) ? 0 : -1}
            data-tip={t(text)}
            data-tip-side="top"
            onClick={() => onSelect(group)}
          >
            <Icon {...ICON_PROPS} />
          </button>
        );
      })}
    </div>
  );
}

/** More than the list is high. */
const FIRST_ROWS = 6;

interface GridProps {
  parts: readonly { readonly label: string; readonly rows: readonly (readonly Cell[])[] }[];
  active: number;
}

/** A large group takes some time: what is visible is shown first. */
function Grid({ parts, active }: GridProps) {
  const rowsMax = useDeferredValue(Infinity, FIRST_ROWS);
  let start = 0;
  return parts.map(({ label, rows }) => (
    <div key={label} role="rowgroup" aria-label={label} className={styles.part}>
      {rows.slice(0, rowsMax).map((row) => {
        const first = start;
        start += row.length;
        const column = active - first;
        return (
          <GridRow
            key={first}
            cells={row}
            first={first}
            column={column >= 0 && column < row.length ? column : null}
          />
        );
      })}
    </div>
  ));
}

interface GridRowProps {
  cells: readonly Cell[];
  /** The number of the first cell. */
  first: number;
  /** The active cell, if it is in this row. */
  column: number | null;
}

/** There are up to 50 rows, and only two change when the pointer moves. */
const GridRow = memo(function GridRow({ cells, first, column }: GridRowProps) {
  return (
    <div role="row" className={styles.row} tabIndex={-1}>
      {cells.map(({ key, name, emoticon }, index) => (
        <button
          key={key}
          type="button"
          role="gridcell"
          className={styles.cell}
          aria-label={name}
          tabIndex={index === column ? 0 : -1}
          data-place={first + index}
        >
          {emoticon === null ? (
            key
          ) : (
            <img src={`/emoticons/${emoticon}.gif`} width={30} height={30} alt="" loading="lazy" />
          )}
        </button>
      ))}
    </div>
  );
});

function Note({ text }: { text: string }) {
  return (
    <Text as="p" role="status" size={13} tone="secondary" textAlign="center" paddingY={24} paddingX={16}>
      {text}
    </Text>
  );
}

interface FootProps {
  /** What is under the pointer or focused. */
  name: string;
  tone: string | null;
  onToneChange: (tone: string | null) => void;
}

/** The name, and the choice of the skin tone. */
function Foot({ name, tone, onToneChange }: FootProps) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const hand = (of: string | null) => `✋${of ?? ""}`;
  const choose = (next: string | null) => {
    onToneChange(next);
    setOpen(false);
    button.current?.focus();
  };
  return (
    <Row gap={8} shrink={false} size={13} className={styles.foot}>
      {isOpen ? (
        <div role="group" aria-label={t("emoji.tone")} className={styles.tones}>
          {TONE_CHOICES.map((choice) => (
            <button
              key={choice.text}
              type="button"
              className={styles.tone}
              aria-label={t(choice.text)}
              aria-pressed={choice.tone === tone}
              data-tip={t(choice.text)}
              data-tip-side="top"
              onClick={() => choose(choice.tone)}
            >
              {hand(choice.tone)}
            </button>
          ))}
        </div>
      ) : (
        <>
          <Text grow truncate>
            {name}
          </Text>
          <Text size={12} tone="tertiary" shrink={false} className={styles.hint}>
            {t("compose.shiftKeepsOpen")}
          </Text>
        </>
      )}
      <button
        ref={button}
        type="button"
        className={classNames(styles.tone, styles.toneOpener)}
        aria-label={t("emoji.tone")}
        aria-expanded={isOpen}
        data-tip={t("emoji.tone")}
        data-tip-side="top"
        onClick={() => setOpen(!isOpen)}
      >
        {hand(tone)}
      </button>
    </Row>
  );
}
