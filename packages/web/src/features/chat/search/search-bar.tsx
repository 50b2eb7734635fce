import { useDeferredValue, useLayoutEffect, useRef, useState } from "react";
import type { KeyboardEvent, RefObject } from "react";
import { ChevronDown, ChevronUp, List, X } from "lucide-react";
import { ChatType } from "@parley/protocol/codes";
import { isVisible } from "@parley/protocol/text";
import type { MediaKind } from "@parley/core/search/search-query";
import type { ChatKey } from "@parley/core/model/state";
import { DayField } from "./day-field.tsx";
import { useText } from "../../../kit/i18n/i18n.ts";
import { myIdOf } from "../../../kit/people/person.ts";
import { showTime } from "../../../kit/chats/show-message.ts";
import { useClientState } from "../../../kit/loading/use-client.ts";
import { IconButton } from "../../../ui/button.tsx";
import { startOfDay } from "../../../ui/day.ts";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import { useImeGuard } from "../../../ui/ime.ts";
import { InlineSelect } from "../../../ui/inline-select.tsx";
import { Row } from "../../../ui/layout.tsx";
import { SearchBox } from "../../../ui/search-box.tsx";
import { useIsMobile } from "../../../ui/use-media.ts";
import { useHighlightedBubbles } from "./use-highlighted-bubbles.ts";
import { useMemberNames } from "../panel/use-member-names.ts";
import { useDaysWithMessages } from "../timeline/use-days-with-messages.ts";
import { SearchResults } from "./search-results.tsx";
import { useSearchResults } from "./use-search-results.ts";
import type { SearchResultPage } from "./use-search-results.ts";
import styles from "./search-bar.module.css";

/** A search counts at most this many results (protocol). */
const COUNT_MAX = 1_000;

interface SearchBarProps {
  chatKey: ChatKey;
  type: ChatType;
  targetId: number;
  /** Increased each time the search is opened again: the field then gets the focus. */
  focusRequests: number;
  onClose: () => void;
}

const ANYONE = "all";
const ANYTHING = "all";
const KINDS = ["pictures", "files", "links"] as const satisfies readonly MediaKind[];

/** Searches the open chat and steps through the results (interface §11). */
export function SearchBar({ chatKey, type, targetId, focusRequests, onClose }: SearchBarProps) {
  const t = useText();
  const ime = useImeGuard();
  const field = useFocusedField(focusRequests);
  const [typed, setTyped] = useState("");
  const [sender, setSender] = useState(ANYONE);
  const [day, setDay] = useState<number | null>(null);
  const [kind, setKind] = useState<MediaKind | null>(null);
  /** Enter was pressed although the query is empty. */
  const [isQueryMissing, setQueryMissing] = useState(false);
  const text = useDeferredValue(typed);
  const sendId = sender === ANYONE ? null : Number(sender);
  const { page, isBusy, step, goTo, more } = useSearchResults(chatKey, { text, sendId, day, kind });
  const isMobile = useIsMobile();
  const [isListOpen, setListOpen] = useState(false);
  useHighlightedBubbles(text);

  const closeList = () => {
    setListOpen(false);
    field.current?.focus();
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (ime.isComposing(event)) return;
    const isEnter = event.key === "Enter" && event.target === field.current;
    const isArrow = event.target === field.current && !event.altKey;
    if (isEnter && kind === null && !isVisible(field.current?.value ?? "")) setQueryMissing(true);
    else if (event.key === "Escape" && isListOpen) closeList();
    else if (event.key === "Escape") onClose();
    else if (isEnter || (isArrow && event.key === "ArrowUp")) void step(event.shiftKey ? -1 : 1);
    else if (isArrow && event.key === "ArrowDown") void step(-1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const hasResults = page !== null && page.total > 0;
  const isListShown = isListOpen && hasResults;
  return (
    <div
      role="search"
      className={styles.search}
      aria-label={t("find.title")}
      onKeyDown={handleKeyDown}
      {...ime.handlers}
    >
      <Row gap={8} className={styles.bar}>
        <QueryField
          ref={field}
          onType={(query) => {
            setTyped(query);
            setQueryMissing(false);
          }}
        />
        <span className={styles.count} role="status" aria-busy={isBusy}>
          {isQueryMissing ? t("search.keywordNeeded") : page !== null && countText(page, t)}
        </span>
        <ResultStepButtons isDisabled={!hasResults} onStep={(by) => void step(by)} />
        <ListButton isDisabled={!hasResults} isOpen={isListShown} onClick={() => setListOpen(!isListOpen)} />
        <SearchFilters
          chatKey={chatKey}
          type={type}
          targetId={targetId}
          sender={sender}
          onSenderChange={setSender}
          kind={kind}
          onKindChange={(next) => {
            setKind(next);
            setQueryMissing(false);
          }}
          onDayChange={(dayStart) => {
            setDay(dayStart);
            // Without anything to search for, selecting a day scrolls to that day.
            if (dayStart !== null && kind === null && typed.trim() === "") showTime(chatKey, dayStart);
          }}
        />
        <IconButton label={t("find.close")} size={36} onClick={onClose}>
          <X {...ICON_PROPS} />
        </IconButton>
      </Row>
      {isListShown && (
        <SearchResults
          page={page}
          onMore={() => void more()}
          onSelect={(index) => {
            goTo(index);
            // On a phone the list covers the message.
            if (isMobile) setListOpen(false);
          }}
        />
      )}
    </div>
  );
}

/** The field, which gets the focus at each request: its text is replaced by what the person types. */
function useFocusedField(focusRequests: number): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  // Before the paint, because people type on directly after the shortcut.
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [focusRequests]);
  return field;
}

interface QueryFieldProps {
  ref: RefObject<HTMLInputElement | null>;
  onType: (query: string) => void;
}

function QueryField({ ref, onType }: QueryFieldProps) {
  const t = useText();
  return (
    <Row align="stretch" grow className={styles.field}>
      <SearchBox
        ref={ref}
        isPart
        label={t("find.title")}
        onInput={(event) => onType(event.currentTarget.value)}
      />
    </Row>
  );
}

interface ResultStepButtonsProps {
  isDisabled: boolean;
  /** Gets 1 for the next older result, -1 for the next newer one. */
  onStep: (by: 1 | -1) => void;
}

function ResultStepButtons({ isDisabled, onStep }: ResultStepButtonsProps) {
  const t = useText();
  return (
    <Row align="stretch" shrink={false}>
      <IconButton label={t("find.older")} size={36} disabled={isDisabled} onClick={() => onStep(1)}>
        <ChevronUp {...ICON_PROPS} />
      </IconButton>
      <IconButton label={t("find.newer")} size={36} disabled={isDisabled} onClick={() => onStep(-1)}>
        <ChevronDown {...ICON_PROPS} />
      </IconButton>
    </Row>
  );
}

interface ListButtonProps {
  isDisabled: boolean;
  isOpen: boolean;
  onClick: () => void;
}

/** Opens and closes the list of results. */
function ListButton({ isDisabled, isOpen, onClick }: ListButtonProps) {
  const t = useText();
  return (
    <IconButton
      label={t("find.list")}
      size={36}
      className={styles.listButton}
      disabled={isDisabled}
      isOn={isOpen}
      aria-expanded={isOpen}
      onClick={onClick}
    >
      <List {...ICON_PROPS} />
    </IconButton>
  );
}

interface SearchFiltersProps extends Pick<SearchBarProps, "chatKey" | "type" | "targetId"> {
  sender: string;
  onSenderChange: (sender: string) => void;
  /** null: any kind. */
  kind: MediaKind | null;
  onKindChange: (kind: MediaKind | null) => void;
  /** Gets the start of the day; null: any day. */
  onDayChange: (dayStart: number | null) => void;
}

/** Restricts the search to a sender, a kind of message and a day. */
function SearchFilters({
  chatKey,
  type,
  targetId,
  sender,
  onSenderChange,
  kind,
  onKindChange,
  onDayChange,
}: SearchFiltersProps) {
  const t = useText();
  const myId = useClientState(myIdOf);
  const findDays = useDaysWithMessages(chatKey);
  const members = useMemberNames(type === ChatType.GROUP ? targetId : null);
  const others = members ?? [{ userId: targetId, name: t("find.them") }];
  const senders = [
    { value: ANYONE, text: t("find.anyone") },
    { value: String(myId), text: t("chat.me") },
    ...others
      .filter(({ userId }) => userId !== myId)
      .map(({ userId, name }) => ({ value: String(userId), text: name })),
  ];
  return (
    <Row gap={8} shrink={false} size={13} className={styles.filters}>
      <InlineSelect label={t("find.sender")} value={sender} options={senders} onChange={onSenderChange} />
      <InlineSelect
        label={t("find.kind")}
        value={kind ?? ANYTHING}
        options={[
          { value: ANYTHING, text: t("find.anything") },
          ...KINDS.map((value) => ({ value, text: t(`media.tab.${value}`) })),
        ]}
        onChange={(value) => onKindChange(KINDS.find((known) => known === value) ?? null)}
      />
      <DayField
        label={t("find.day")}
        pickLabel={t("find.pickDay")}
        findMarkedDays={findDays}
        onChange={(day) => onDayChange(day === null ? null : startOfDay(day))}
      />
    </Row>
  );
}

function countText(page: SearchResultPage, t: ReturnType<typeof useText>): string {
  if (page.hasFailed) return t("search.failed");
  if (page.total === 0) return t("find.none");
  return `${page.currentIndex + 1}/${totalText(page)}`;
}

/** How many results there are, as far as that is known. */
function totalText({ total, next, results }: SearchResultPage): string {
  if (next === null) return String(results.length);
  if (total >= COUNT_MAX) return `${COUNT_MAX}+`;
  return results.length < total ? String(total) : `${results.length}+`;
}
