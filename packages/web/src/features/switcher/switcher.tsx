import { useDeferredValue, useEffect, useId, useMemo, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { Search, X, type LucideIcon } from "lucide-react";
import { useText, type Translate } from "../../kit/i18n/i18n.ts";
import { openSearchItem, SearchRow } from "../../kit/search/search-row.tsx";
import rowStyles from "../../kit/search/search-row.module.css";
import { type SearchItem, useSearchSections } from "../../kit/search/use-search-sections.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { PaletteDialog } from "../../ui/dialog.tsx";
import { SearchIllustration } from "../../ui/illustrations.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import { useImeGuard } from "../../ui/ime.ts";
import { Kbd } from "../../ui/kbd.tsx";
import { Row } from "../../ui/layout.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { useIsMobile } from "../../ui/use-media.ts";
import styles from "./switcher.module.css";

const WIDTH_PX = 560;

/** A command that the switcher offers. */
interface SwitcherCommand {
  readonly id: string;
  readonly name: (t: Translate) => string;
  readonly Icon: LucideIcon;
  readonly run: () => void;
}

interface SwitcherProps {
  commands: readonly SwitcherCommand[];
  onClose: () => void;
}

/** The quick switcher: finds chats, friends, groups, messages and commands by a few letters (interface §11). */
export function Switcher({ commands, onClose }: SwitcherProps) {
  const t = useText();
  const isMobile = useIsMobile();
  const field = useRef<HTMLInputElement>(null);
  // The field is uncontrolled, so that typing is never overwritten. The list follows its text, possibly with a delay.
  const [typed, setTyped] = useState("");
  const clear = () => {
    if (field.current !== null) field.current.value = "";
    setTyped("");
    field.current?.focus();
  };
  const list = useSwitcherList(useDeferredValue(typed.trim()), commands, onClose);
  const ime = useImeGuard();
  const handleKeyDown = (event: KeyboardEvent) => {
    if (!ime.isComposing(event) && list.handleKey(event.key)) event.preventDefault();
  };
  return (
    <PaletteDialog title={t("search.title")} width={WIDTH_PX} onClose={onClose}>
      <Row gap={12} shrink={false} paddingX={20} tone="tertiary" className={styles.head}>
        <Search {...ICON_PROPS} />
        <input
          ref={field}
          type="search"
          className={styles.field}
          // On a phone the long one would be cut off.
          placeholder={t(isMobile ? "search.hint" : "search.placeholder")}
          aria-label={t("search.placeholder")}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          role="combobox"
          aria-expanded={list.sections.length > 0}
          aria-controls={list.sections.length > 0 ? list.id : undefined}
          aria-autocomplete="list"
          aria-activedescendant={list.activeId}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={handleKeyDown}
          {...ime.handlers}
        />
        {isMobile ? (
          <IconButton label={t("app.close")} hasTooltip={false} onClick={onClose}>
            <X {...ICON_PROPS} />
          </IconButton>
        ) : (
          <Kbd>Esc</Kbd>
        )}
      </Row>
      <div className={styles.list}>
        {list.sections.length > 0 && (
          <div id={list.id} role="listbox" aria-label={t("search.results")}>
            {list.sections.map(({ title, items }) => (
              <div key={title} role="group" aria-labelledby={`${list.id}-${title}`}>
                <div className={rowStyles.title} id={`${list.id}-${title}`}>
                  {t(title)}
                </div>
                {items.map((item) => (
                  <SearchRow
                    key={item.id}
                    optionId={list.optionId(item.id)}
                    item={item}
                    query={list.query}
                    isActive={item.id === list.active?.id}
                    onSelect={list.selectItem}
                    onActivate={list.activate}
                  />
                ))}
              </div>
            ))}
          </div>
        )}
        <SwitcherStatus list={list} onClear={clear} />
      </div>
      <Row gap={16} shrink={false} className={styles.foot} aria-hidden="true">
        <Row as="span" gap={4}>
          <Kbd>↑</Kbd>
          <Kbd>↓</Kbd>
          {t("search.move")}
        </Row>
        <Row as="span" gap={4}>
          <Kbd>Enter</Kbd>
          {t("search.open")}
        </Row>
        <span className={styles.last}>{t("search.hint")}</span>
      </Row>
    </PaletteDialog>
  );
}

type SwitcherList = ReturnType<typeof useSwitcherList>;

/** The state below the rows: loading, failed, or nothing found. */
function SwitcherStatus({ list, onClear }: { list: SwitcherList; onClear: () => void }) {
  const t = useText();
  if (list.isBusy)
    return (
      <Row justify="center" gap={8} padding={12} size={13} tone="tertiary">
        <Spinner />
      </Row>
    );
  if (list.hasFailed)
    return (
      <Row justify="center" gap={8} padding={12} size={13} tone="tertiary" role="status">
        {t("search.failed")}
      </Row>
    );
  if (list.sections.length > 0 || list.query === "") return null;
  return (
    <div className={styles.empty} role="status">
      <EmptyState
        illustration={<SearchIllustration />}
        text={t("search.empty")}
        action={
          <Button size="small" onClick={onClear}>
            {t("friend.clearSearch")}
          </Button>
        }
      />
    </div>
  );
}

/** The rows, the active row, and what selecting a row does. */
function useSwitcherList(query: string, offered: readonly SwitcherCommand[], onClose: () => void) {
  const t = useText();
  const id = useId();
  const commands = useMemo(
    () =>
      offered.map(({ id, name, Icon, run }) => ({ id, name: name(t), icon: <Icon {...ICON_PROPS} />, run })),
    [offered, t],
  );
  const search = useSearchSections(query, { commands });
  const { sections } = search;
  const items = sections.flatMap((section) => section.items);
  // By id, so that messages that are found later do not move it. A new query starts at the first row.
  const [activeRow, setActiveRow] = useState<{ query: string; id: string } | null>(null);
  const found = activeRow?.query === query ? items.findIndex((item) => item.id === activeRow.id) : -1;
  const activeIndex = Math.max(0, found);
  const active = items[activeIndex];
  const optionId = (item: string) => `${id}-${item}`;
  const activeId = active === undefined ? undefined : optionId(active.id);

  const wasMoved = activeRow !== null;
  useEffect(() => {
    if (wasMoved && activeId !== undefined)
      document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [wasMoved, activeId]);

  const selectItem = (item: SearchItem) => {
    if (item.kind === "more") {
      // The last row before the new ones becomes the active one.
      const last = items[items.indexOf(item) - 1];
      if (last !== undefined) setActiveRow({ query, id: last.id });
      search.showMore(item);
      return;
    }
    onClose();
    openSearchItem(item);
  };
  const handleKey = (key: string): boolean => {
    const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
    if (key === "Enter" && active !== undefined) selectItem(active);
    else if (step !== 0) {
      const next = items.at((activeIndex + step) % Math.max(1, items.length));
      if (next !== undefined) setActiveRow({ query, id: next.id });
    } else return false;
    return true;
  };
  const activate = (item: string) => {
    if (activeRow?.id !== item || activeRow.query !== query) setActiveRow({ query, id: item });
  };
  return {
    id,
    query,
    sections,
    active,
    activeId,
    optionId,
    selectItem,
    handleKey,
    activate,
    isBusy: search.isBusy,
    hasFailed: search.hasFailed,
  } as const;
}
