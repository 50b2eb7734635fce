import { useDeferredValue, useLayoutEffect, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { ChevronDown, ChevronUp, List, X } from "lucide-react";
import { ChatType } from "@parley/protocol/codes";
import type { ChatKey } from "@parley/core/model/state";
import { DayField } from "../../../kit/day-field.tsx";
import { useText } from "../../../kit/i18n.ts";
import { showTime } from "../../../kit/show-message.ts";
import { useClientState } from "../../../kit/use-client.ts";
import { IconButton } from "../../../ui/button.tsx";
import { startOfDay } from "../../../ui/day.ts";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import { useImeGuard } from "../../../ui/ime.ts";
import { InlineSelect } from "../../../ui/inline-select.tsx";
import { SearchBox } from "../../../ui/search-box.tsx";
import { useIsMobile } from "../../../ui/use-media.ts";
import { useHighlightedBubbles } from "./use-highlighted-bubbles.ts";
import { useMemberNames } from "../panel/use-member-names.ts";
import { useDaysWithMessages } from "../timeline/use-days-with-messages.ts";
import { SearchResults } from "./search-results.tsx";
import { useSearchResults } from "./use-search-results.ts";
import styles from "./search-bar.module.css";

/** The most that a search counts (protocol). */
const COUNT_MAX = 1_000;

interface SearchBarProps {
  chatKey: ChatKey;
  type: ChatType;
  targetId: number;
  /** Counts how often the search was asked for: each time the field gets the focus. */
  asked: number;
  /** What was typed before it was here. */
  start: { readonly current: string };
  onClose: () => void;
}

const ANYONE = "all";

/** Finds words in the open chat and goes from one to the next (interface §11). */
export function SearchBar({ chatKey, type, targetId, asked, start, onClose }: SearchBarProps) {
  const t = useText();
  const field = useRef<HTMLInputElement>(null);
  const ime = useImeGuard();
  const myId = useClientState((state) => (state.session.kind === "anonymous" ? 0 : state.session.userId));
  const [early] = useState(() => start.current);
  const [typed, setTyped] = useState(early);
  const [sender, setSender] = useState(ANYONE);
  const [day, setDay] = useState<number | null>(null);
  /** Enter was pressed although there is nothing to look for. */
  const [isVain, setVain] = useState(false);
  const text = useDeferredValue(typed);
  const sendId = sender === ANYONE ? null : Number(sender);
  const { found, isBusy, step, goTo, more } = useSearchResults(chatKey, { text, sendId, day });
  const isMobile = useIsMobile();
  const [isListed, setListed] = useState(false);
  useHighlightedBubbles(text);
  const findDays = useDaysWithMessages(chatKey);

  // What was typed since this was drawn: React shows it a moment later than that.
  useLayoutEffect(() => {
    const late = start.current;
    if (field.current === null || late === early) return;
    field.current.value = late;
    setTyped(late);
  }, [start, early]);

  // At once: whoever presses the key goes on typing.
  useLayoutEffect(() => {
    const element = field.current;
    element?.focus();
    const written = element?.value.length ?? 0;
    if (asked === 1 && written > 0) element?.setSelectionRange(written, written);
    else element?.select();
  }, [asked]);

  const closeList = () => {
    setListed(false);
    field.current?.focus();
  };
  const press = (event: KeyboardEvent) => {
    if (ime.isComposing(event)) return;
    const isEnter = event.key === "Enter" && event.target === field.current;
    const isArrow = event.target === field.current && !event.altKey;
    if (isEnter && field.current?.value.trim() === "") setVain(true);
    else if (event.key === "Escape" && isListed) closeList();
    else if (event.key === "Escape") onClose();
    else if (isEnter || (isArrow && event.key === "ArrowUp")) void step(event.shiftKey ? -1 : 1);
    else if (isArrow && event.key === "ArrowDown") void step(-1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const members = useMemberNames(type === ChatType.GROUP ? targetId : null);
  const others = members ?? [{ userId: targetId, name: t("find.them") }];
  const senders = [
    { value: ANYONE, text: t("find.anyone") },
    { value: String(myId), text: t("chat.me") },
    ...others
      .filter(({ userId }) => userId !== myId)
      .map(({ userId, name }) => ({ value: String(userId), text: name })),
  ];
  const hasHits = found !== null && found.total > 0;
  return (
    <div
      role="search"
      className={styles.search}
      aria-label={t("find.title")}
      onKeyDown={press}
      {...ime.handlers}
    >
      <div className={styles.bar}>
        <div className={styles.words}>
          <SearchBox
            ref={field}
            isPart
            label={t("find.title")}
            defaultValue={early}
            onInput={(event) => {
              setTyped(event.currentTarget.value);
              setVain(false);
            }}
          />
        </div>
        <span className={styles.count} role="status" aria-busy={isBusy}>
          {isVain ? t("search.keywordNeeded") : found !== null && countText(found, t)}
        </span>
        <div className={styles.steps}>
          <IconButton label={t("find.older")} size={36} disabled={!hasHits} onClick={() => void step(1)}>
            <ChevronUp {...ICON_PROPS} />
          </IconButton>
          <IconButton label={t("find.newer")} size={36} disabled={!hasHits} onClick={() => void step(-1)}>
            <ChevronDown {...ICON_PROPS} />
          </IconButton>
        </div>
        <IconButton
          label={t("find.list")}
          size={36}
          className={styles.lister}
          disabled={!hasHits}
          isOn={isListed && hasHits}
          aria-expanded={isListed && hasHits}
          onClick={() => setListed(!isListed)}
        >
          <List {...ICON_PROPS} />
        </IconButton>
        <div className={styles.filters}>
          <InlineSelect label={t("find.sender")} value={sender} options={senders} onChange={setSender} />
          <DayField
            label={t("find.day")}
            pickLabel={t("find.pickDay")}
            findMarkedDays={findDays}
            onChange={(chosen) => {
              const start = chosen === null ? null : startOfDay(chosen);
              setDay(start);
              // Without words the day itself is what is looked for.
              if (start !== null && typed.trim() === "") showTime(chatKey, start);
            }}
          />
        </div>
        <IconButton label={t("find.close")} size={36} onClick={onClose}>
          <X {...ICON_PROPS} />
        </IconButton>
      </div>
      {isListed && hasHits && (
        <SearchResults
          found={found}
          onMore={() => void more()}
          onChoose={(at) => {
            goTo(at);
            // On a phone it covers what is to be seen.
            if (isMobile) setListed(false);
          }}
        />
      )}
    </div>
  );
}

type SearchState = NonNullable<ReturnType<typeof useSearchResults>["found"]>;

function countText(found: SearchState, t: ReturnType<typeof useText>): string {
  if (found.hasFailed) return t("search.failed");
  if (found.total === 0) return t("find.none");
  const total = found.total >= COUNT_MAX ? `${COUNT_MAX}+` : String(found.total);
  return `${found.at + 1}/${total}`;
}
