import { useDeferredValue, useEffect, useId, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { Search, X } from "lucide-react";
import { useLocation } from "wouter";
import { chatPath } from "../../kit/chat-path.ts";
import { useText } from "../../kit/i18n.ts";
import { showMessage } from "../../kit/show-message.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { PaletteDialog } from "../../ui/dialog.tsx";
import { SearchIllustration } from "../../ui/illustrations.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import { useImeGuard } from "../../ui/ime.ts";
import { Kbd } from "../../ui/kbd.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { useIsMobile } from "../../ui/use-media.ts";
import { SwitcherRow } from "./switcher-row.tsx";
import { useMessageSearch } from "./use-message-search.ts";
import { useSwitcherItems } from "./use-switcher-items.ts";
import type { SwitcherItem } from "./use-switcher-items.ts";
import styles from "./switcher.module.css";

const WIDTH_PX = 560;

/** Goes to chats, friends and messages by a few letters, and does what the menus do (interface §11). */
export function Switcher({ onClose }: { onClose: () => void }) {
  const t = useText();
  const isMobile = useIsMobile();
  const field = useRef<HTMLInputElement>(null);
  // The field is never written to while somebody types: what it holds is followed, a step behind if need be.
  const [typed, setTyped] = useState("");
  const clear = () => {
    if (field.current !== null) field.current.value = "";
    setTyped("");
    field.current?.focus();
  };
  const list = useSwitcherList(useDeferredValue(typed.trim()), onClose);
  const ime = useImeGuard();
  const press = (event: KeyboardEvent) => {
    if (!ime.isComposing(event) && list.press(event.key)) event.preventDefault();
  };
  return (
    <PaletteDialog title={t("search.title")} width={WIDTH_PX} onClose={onClose}>
      <div className={styles.head}>
        <Search {...ICON_PROPS} />
        <input
          ref={field}
          type="search"
          className={styles.field}
          placeholder={t("search.placeholder")}
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
          onKeyDown={press}
          {...ime.handlers}
        />
        {isMobile ? (
          <IconButton label={t("app.close")} hasTooltip={false} onClick={onClose}>
            <X {...ICON_PROPS} />
          </IconButton>
        ) : (
          <Kbd>Esc</Kbd>
        )}
      </div>
      <div className={styles.list}>
        {list.sections.length > 0 && (
          <div id={list.id} role="listbox" aria-label={t("search.results")}>
            {list.sections.map(({ title, items }) => (
              <div key={title} role="group" aria-labelledby={`${list.id}-${title}`}>
                <div className={styles.title} id={`${list.id}-${title}`}>
                  {t(title)}
                </div>
                {items.map((item) => (
                  <SwitcherRow
                    key={item.id}
                    optionId={list.optionId(item.id)}
                    item={item}
                    query={list.query}
                    isActive={item.id === list.active?.id}
                    onChoose={list.choose}
                    onPoint={list.point}
                  />
                ))}
              </div>
            ))}
          </div>
        )}
        <Rest list={list} onClear={clear} />
      </div>
      <div className={styles.foot} aria-hidden="true">
        <span className={styles.hint}>
          <Kbd>↑</Kbd>
          <Kbd>↓</Kbd>
          {t("search.move")}
        </span>
        <span className={styles.hint}>
          <Kbd>Enter</Kbd>
          {t("search.open")}
        </span>
        <span className={styles.last}>{t("search.hint")}</span>
      </div>
    </PaletteDialog>
  );
}

type List = ReturnType<typeof useSwitcherList>;

/** What is told below the rows: that more is on its way, that it failed, that there is nothing. */
function Rest({ list, onClear }: { list: List; onClear: () => void }) {
  const t = useText();
  if (list.isBusy)
    return (
      <div className={styles.state}>
        <Spinner />
      </div>
    );
  if (list.hasFailed)
    return (
      <div className={styles.state} role="status">
        {t("search.failed")}
      </div>
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

/** The rows, the active one among them, and what choosing one does. */
function useSwitcherList(query: string, onClose: () => void) {
  const id = useId();
  const [, navigate] = useLocation();
  const messages = useMessageSearch(query);
  const sections = useSwitcherItems(query, messages);
  const items = sections.flatMap((section) => section.items);
  // By id, so that messages which arrive later do not move it; a new question begins at the first row.
  const [pointed, setPointed] = useState<{ query: string; id: string } | null>(null);
  const found = pointed?.query === query ? items.findIndex((item) => item.id === pointed.id) : -1;
  const at = Math.max(0, found);
  const active = items[at];
  const optionId = (item: string) => `${id}-${item}`;
  const activeId = active === undefined ? undefined : optionId(active.id);

  const isMoved = pointed !== null;
  useEffect(() => {
    if (isMoved && activeId !== undefined)
      document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [isMoved, activeId]);

  const choose = (item: SwitcherItem) => {
    if (item.kind === "more") {
      // One goes on from the last row that was there.
      const last = items[items.indexOf(item) - 1];
      if (last !== undefined) setPointed({ query, id: last.id });
      messages.more();
      return;
    }
    onClose();
    if (item.kind === "chat") navigate(chatPath(item.key));
    else if (item.kind === "command") item.command.run();
    else if (item.find.message.id !== null) showMessage(item.find.key, item.find.message.id);
  };
  const press = (key: string): boolean => {
    const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
    if (key === "Enter" && active !== undefined) choose(active);
    else if (step !== 0) {
      const next = items.at((at + step) % Math.max(1, items.length));
      if (next !== undefined) setPointed({ query, id: next.id });
    } else return false;
    return true;
  };
  const point = (item: string) => {
    if (pointed?.id !== item || pointed.query !== query) setPointed({ query, id: item });
  };
  return {
    id,
    query,
    sections,
    active,
    activeId,
    optionId,
    choose,
    press,
    point,
    isBusy: messages.isBusy,
    hasFailed: messages.hasFailed,
  } as const;
}
