import { useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { create } from "zustand";
import {
  CHAT_FILTERS,
  CHAT_FOLDS,
  type ChatFilter,
  type ChatFold,
  type ChatView,
  filterChats,
  foldList,
  type FoldSummary,
  isFold,
} from "@parley/core/model/chats/chat-filter";
import type { ChatKey, State } from "@parley/core/model/state";
import { announce } from "../../../kit/dialogs/announcement.tsx";
import { isDialogOpen } from "../../../kit/dialogs/open-dialog.ts";
import { useText } from "../../../kit/i18n/i18n.ts";
import { useClientState } from "../../../kit/loading/use-client.ts";
import { type CHAT_FILTER_SHORTCUTS, isShortcut } from "../../../kit/settings/shortcuts.ts";
import { useUserSetting, type UserSettingValue } from "../../../kit/settings/user-settings.ts";
import { shortcutHint } from "../../../kit/settings/shortcut-table.ts";
import { Button } from "../../../ui/button.tsx";
import { ChoiceChips } from "../../../ui/choice-chips.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ChatsIllustration } from "../../../ui/illustrations.tsx";
import { Box } from "../../../ui/layout.tsx";
import { usePaneLayout } from "../../../ui/list-pane.tsx";

const useStore = create<{ readonly view: ChatView }>(() => ({ view: "all" }));

/** Chooses which chats the list shows, until the page is left or the person signs out. */
export function chooseChatView(view: ChatView): void {
  useStore.setState({ view });
}

/** Which chats the list shows. A collapsed list has no filter, because nothing would say why some chats are left out. */
export function useChatView(): ChatView {
  const chosen = useStore(({ view }) => view);
  const { isCollapsed } = usePaneLayout();
  return isCollapsed && !isFold(chosen) ? "all" : chosen;
}

const FOLDS: Record<UserSettingValue<"mutedGroups">, readonly ChatFold[]> = {
  list: ["archived"],
  folded: CHAT_FOLDS,
};

/** The parts of the list that are folded for this person. */
export function useFolds(): readonly ChatFold[] {
  const [mutedGroups] = useUserSetting("mutedGroups");
  return FOLDS[mutedGroups];
}

/** What the chat list shows. */
interface ShownChats {
  readonly keys: readonly ChatKey[];
  /** Those that a filter may leave out, but not at once under a mouse. */
  readonly existingKeys: readonly ChatKey[];
  readonly folds: readonly FoldSummary[];
}

/**
 * The chats of a view. With a filter the open one stays as long as it is open, once the filter has shown it: reading it takes nothing away
 * from under the pointer.
 */
export function useShownChats(keys: readonly ChatKey[], view: ChatView, openKey: ChatKey | null): ShownChats {
  const folds = useFolds();
  const shown = useRef<{ view: ChatView; keys: readonly ChatKey[] }>({ view, keys: [] });
  const select = useMemo(() => {
    const choose = (state: State): ShownChats => {
      if (view === "all") {
        const list = foldList(keys, state, folds);
        return { ...list, existingKeys: list.keys };
      }
      const wasShown =
        openKey !== null && shown.current.view === view && shown.current.keys.includes(openKey);
      const filtered = filterChats(keys, view, state, wasShown ? openKey : null, folds);
      const existingKeys = isFold(view) ? filtered : filterChats(keys, "all", state);
      return { keys: filtered, existingKeys, folds: NO_FOLDS };
    };
    // Most changes of the state concern no chat, and there may be thousands of chats.
    let last: { state: State; result: ShownChats } | null = null;
    return (state: State): ShownChats => {
      const result = last !== null && isSameForList(last.state, state) ? last.result : choose(state);
      last = { state, result };
      return result;
    };
  }, [keys, view, openKey, folds]);
  const result = useClientState(select, isSameShown);
  useLayoutEffect(() => {
    shown.current = { view, keys: result.keys };
  }, [view, result]);
  return result;
}

const NO_FOLDS: readonly FoldSummary[] = [];

/** Whether two states have the same chats and prefs. */
function isSameForList(a: State, b: State): boolean {
  return (
    a.chats === b.chats &&
    a.firstChats === b.firstChats &&
    a.chatPrefs === b.chatPrefs &&
    a.unsentPrefs === b.unsentPrefs
  );
}

function isSameShown(a: ShownChats, b: ShownChats): boolean {
  return (
    hasSameItems(a.keys, b.keys) &&
    hasSameItems(a.existingKeys, b.existingKeys) &&
    a.folds.length === b.folds.length &&
    a.folds.every((fold, index) => isSameSummary(fold, b.folds[index]))
  );
}

function isSameSummary(a: FoldSummary, b: FoldSummary | undefined): boolean {
  return a.fold === b?.fold && a.count === b.count && a.hasUnread === b.hasUnread && a.mention === b.mention;
}

function hasSameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a === b || (a.length === b.length && a.every((item, index) => item === b[index]));
}

const SHORTCUTS = {
  all: "filterAll",
  unread: "filterUnread",
  mentions: "filterMentions",
  groups: "filterGroups",
  people: "filterPeople",
} as const satisfies Record<ChatFilter, keyof typeof CHAT_FILTER_SHORTCUTS>;

/** Alt Shift and a digit choose a filter, wherever the focus is (interface §12). */
export function useChatFilterShortcuts(onChoose: (filter: ChatFilter) => void): void {
  const t = useText();
  const { isCollapsed } = usePaneLayout();
  useEffect(() => {
    if (isCollapsed) return;
    const handleKeyDown = (event: KeyboardEvent) => {
      const filter = CHAT_FILTERS.find((one) => isShortcut(event, SHORTCUTS[one]));
      if (filter === undefined || isDialogOpen()) return;
      event.preventDefault();
      onChoose(filter);
      // The focus is elsewhere, so nothing else says so.
      announce(t(`keys.${SHORTCUTS[filter]}`));
    };
    document.addEventListener("keydown", handleKeyDown);
    return () => document.removeEventListener("keydown", handleKeyDown);
  }, [t, isCollapsed, onChoose]);
}

/** The row above the chat list: which chats are shown. */
export function ChatFilterChips({ filter }: { filter: ChatFilter }) {
  const t = useText();
  return (
    <ChoiceChips
      label={t("chatFilter.label")}
      value={filter}
      options={CHAT_FILTERS.map((value) => ({
        value,
        text: t(`chatFilter.${value}`),
        tooltip: `${t(`keys.${SHORTCUTS[value]}`)}  ${shortcutHint(SHORTCUTS[value])}`,
      }))}
      onChange={chooseChatView}
    />
  );
}

const EMPTY_TEXTS = {
  unread: "chatFilter.emptyUnread",
  mentions: "chatFilter.emptyMentions",
  groups: "chatFilter.emptyGroups",
  people: "chatFilter.emptyPeople",
} as const;

/** Shown instead of the list when there are chats, but none that the filter shows. */
export function NoFilteredChats({ filter }: { filter: Exclude<ChatFilter, "all"> }) {
  const t = useText();
  // The list has left the page with the focus in it.
  useEffect(() => {
    if (document.activeElement !== document.body) return;
    document
      .querySelector<HTMLElement>('[data-landmark="list"] [role="radio"][aria-checked="true"]')
      ?.focus();
  }, []);
  return (
    <Box grow scroll>
      <EmptyState
        illustration={<ChatsIllustration />}
        text={t(EMPTY_TEXTS[filter])}
        action={
          <Button size="small" onClick={() => chooseChatView("all")}>
            {t("chatFilter.showAll")}
          </Button>
        }
      />
    </Box>
  );
}
