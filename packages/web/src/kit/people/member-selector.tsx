import { useId, useMemo, useRef, useState } from "react";
import type { ReactNode, Ref } from "react";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SearchIllustration } from "../../ui/illustrations.tsx";
import { FriendsIllustration } from "../../ui/lazy-illustrations.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { useImeGuard } from "../../ui/ime.ts";
import { Box, Row, Stack } from "../../ui/layout.tsx";
import { Listbox } from "../../ui/listbox.tsx";
import { PICK_ROW_PX, PickRow } from "../../ui/pick-row.tsx";
import { RowList } from "../../ui/row-list.tsx";
import type { RowListHandle } from "../../ui/row-list.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { useListbox } from "../../ui/use-listbox.ts";
import { useIsMobile } from "../../ui/use-media.ts";
import { useLocale, useText } from "../i18n/i18n.ts";
import { useNameMatch } from "../search/pinyin.ts";
import { toasts } from "../dialogs/toasts.ts";
import { useClient } from "../loading/use-client.ts";
import { SelectedMembersList, SelectedMembersStrip } from "./selected-members.tsx";
import {
  changedSelection,
  initialSelection,
  matchingEntries,
  selectedEntries,
  selectionChanges,
  toggleEntry,
} from "./member-selection.ts";
import type { SelectedIds, SelectionChanges, SelectorEntry } from "./member-selection.ts";
import styles from "./member-selector.module.css";

const NO_SELECTION: SelectedIds = [];
const NO_CHANGES: SelectionChanges = { added: [], removed: [] };

const keyOf = (entry: SelectorEntry) => entry.userId;

export interface MemberSelectorProps {
  title: string;
  /** May change while the selector is open; people who have left are no longer selected. */
  entries: readonly SelectorEntry[];
  /** The entries are still being loaded. */
  isLoading?: boolean;
  /** Label of the confirm button for this number of people. */
  confirmLabel: (count: number) => string;
  /** Maximum number of selected people, including locked ones. */
  maxSize?: number;
  /** Only one can be selected; selecting another one replaces the first. */
  isSingle?: boolean;
  /** The confirm button is enabled even if nobody is selected. */
  canBeEmpty?: boolean;
  /** Confirming cannot be undone. */
  isDanger?: boolean;
  isBusy?: boolean;
  /** Shown at the start of the footer: a text or a further option. */
  note?: ReactNode;
  /** Shown above the lists, e.g. the name field of a new group. */
  top?: ReactNode;
  /** Text of the list when there is nobody to select. */
  emptyText?: string;
  /** Gets the selected people who are not locked, in the order of selection. */
  onConfirm: (userIds: readonly number[]) => void;
  onClose: () => void;
}

/** Selects people: all candidates on the left, the selected ones on the right (spec §5). */
export function MemberSelector(props: MemberSelectorProps) {
  const { title, entries, isLoading = false, confirmLabel, maxSize = Infinity, isSingle = false } = props;
  const { canBeEmpty = false, isDanger = false, isBusy = false, note, top, emptyText } = props;
  const { onConfirm, onClose } = props;
  const t = useText();
  const locale = useLocale();
  const isMobile = useIsMobile();
  // Only what the person has changed is remembered. For everybody else the flags of the entries decide, also of those that change later.
  const [changes, setChanges] = useState(NO_CHANGES);
  const initial = useMemo(() => initialSelection(entries), [entries]);
  const selectedIds = useMemo(() => changedSelection(initial, changes), [initial, changes]);
  const selected = useMemo(() => selectedEntries(entries, selectedIds), [entries, selectedIds]);
  const confirmableIds = selected.filter((entry) => !entry.locked).map((entry) => entry.userId);
  const hasChanges = changes.added.length + changes.removed.length > 0;
  const canConfirm = canBeEmpty || confirmableIds.length > 0;

  const toggle = (userId: number) => {
    const isOther = isSingle && !selectedIds.includes(userId);
    const next = toggleEntry(entries, isOther ? NO_SELECTION : selectedIds, userId, maxSize);
    if (next.isOver) toasts.error(t("members.tooMany", { maxSize }));
    setChanges(selectionChanges(initial, next.selectedIds));
  };
  const confirm = () => {
    if (canConfirm && !isBusy) onConfirm(confirmableIds);
  };
  const count = (maxSize === Infinity ? [selected.length] : [selected.length, maxSize])
    .map((number) => number.toLocaleString(locale))
    .join(" / ");
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      width={700}
      isFlush
      onSubmit={confirm}
      footer={
        <>
          {note !== undefined && <div className={styles.note}>{note}</div>}
          <Button onClick={onClose}>{t("app.cancel")}</Button>
          <Button
            variant={isDanger ? "dangerFill" : "primary"}
            type="submit"
            isBusy={isBusy}
            disabled={!canConfirm}
          >
            {confirmLabel(confirmableIds.length)}
          </Button>
        </>
      }
    >
      {top}
      <div className={styles.panes} data-unsaved={hasChanges || undefined}>
        <Stack className={styles.all}>
          <CandidateList
            label={title}
            entries={entries}
            hasFocus={top === undefined}
            isLoading={isLoading}
            isSingle={isSingle}
            selected={selected}
            emptyText={emptyText ?? t("members.nobody")}
            between={isMobile && <SelectedMembersStrip selected={selected} count={count} onRemove={toggle} />}
            onToggle={toggle}
          />
        </Stack>
        {!isMobile && <SelectedMembersList selected={selected} count={count} onRemove={toggle} />}
      </div>
    </Dialog>
  );
}

interface CandidateListProps {
  label: string;
  entries: readonly SelectorEntry[];
  isLoading: boolean;
  /** The search field gets the focus when the selector opens. */
  hasFocus: boolean;
  isSingle: boolean;
  selected: readonly SelectorEntry[];
  emptyText: string;
  between: ReactNode;
  onToggle: (userId: number) => void;
}

function CandidateList(props: CandidateListProps) {
  const { label, entries, isLoading, hasFocus, isSingle, selected, emptyText, between, onToggle } = props;
  const t = useText();
  const client = useClient();
  const listId = useId();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<RowListHandle>(null);
  const [query, setQuery] = useState("");
  const { matches } = useNameMatch(query.trim() !== "");
  const found = useMemo(() => matchingEntries(entries, query, matches), [entries, query, matches]);
  const keys = useMemo(() => found.map((entry) => entry.userId), [found]);
  const selectedSet = useMemo(() => new Set(selected.map((entry) => entry.userId)), [selected]);
  const { active, optionId, listProps } = useListbox({
    keys,
    selected: null,
    pageSize: () => list.current?.pageSize() ?? 1,
    reveal: (index) => list.current?.reveal(index),
    onOpen: onToggle,
    // Typing a letter moves the focus to the search field, and the browser enters the letter there.
    onOtherKey: (event) => {
      const isLetter = [...event.key].length === 1 && event.key !== " ";
      if (isLetter && !event.ctrlKey && !event.metaKey && !event.altKey) field.current?.focus();
      return false;
    },
  });
  return (
    <>
      <CandidateSearch
        field={field}
        hasFocus={hasFocus}
        listId={listId}
        query={query}
        found={keys}
        onQuery={setQuery}
        onToggle={onToggle}
      />
      {between}
      {found.length > 0 ? (
        <Listbox
          {...listProps}
          id={listId}
          aria-label={label}
          aria-multiselectable={!isSingle}
          data-members={keys.length}
        >
          <RowList
            ref={list}
            items={found}
            keyOf={keyOf}
            rowHeight={PICK_ROW_PX}
            keepMounted={active}
            isInScroller
          >
            {(entry, index) => (
              <PickRow
                id={optionId(entry.userId)}
                position={index + 1}
                count={keys.length}
                isPicked={selectedSet.has(entry.userId)}
                isLocked={entry.locked}
                isActive={index === active}
                name={entry.showNickName}
                note={entry.note}
                picture={
                  <Avatar
                    name={entry.showNickName}
                    url={entry.headImage && client.fileUrl(entry.headImage)}
                    id={entry.userId}
                    size={32}
                    isOnline={entry.online}
                  />
                }
                onClick={() => onToggle(entry.userId)}
              />
            )}
          </RowList>
        </Listbox>
      ) : (
        <Box id={listId} grow scroll>
          {isLoading ? (
            <SkeletonRows count={5} />
          ) : (
            <EmptyState
              illustration={query.trim() === "" ? <FriendsIllustration /> : <SearchIllustration />}
              text={query.trim() === "" ? emptyText : t("members.notFound")}
            />
          )}
        </Box>
      )}
    </>
  );
}

interface CandidateSearchProps {
  field: Ref<HTMLInputElement>;
  hasFocus: boolean;
  listId: string;
  query: string;
  /** The people who match. */
  found: readonly number[];
  onQuery: (query: string) => void;
  onToggle: (userId: number) => void;
}

/** The search field. Enter selects the only result, the arrow down leads to the list. */
function CandidateSearch({ field, hasFocus, listId, query, found, onQuery, onToggle }: CandidateSearchProps) {
  const t = useText();
  const ime = useImeGuard();
  return (
    <Row align="stretch" shrink={false} className={styles.search}>
      <SearchBox
        ref={field}
        label={t("members.search")}
        value={query}
        autoFocus={hasFocus}
        aria-controls={listId}
        onChange={(event) => onQuery(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" && event.key !== "ArrowDown") return;
          // Enter never confirms the dialog from here.
          event.preventDefault();
          if (ime.isComposing(event)) return;
          const [only, ...others] = found;
          if (event.key === "ArrowDown") document.getElementById(listId)?.focus();
          else if (only !== undefined && others.length === 0) onToggle(only);
        }}
        {...ime.handlers}
      />
    </Row>
  );
}
