import { useState } from "react";
import type { ChatKey } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n/i18n.ts";
import { openDialog } from "../../../kit/dialogs/open-dialog.ts";
import { openSearchItem, SearchRow } from "../../../kit/search/search-row.tsx";
import rowStyles from "../../../kit/search/search-row.module.css";
import { type SearchItem, useSearchSections } from "../../../kit/search/use-search-sections.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { SearchIllustration } from "../../../ui/illustrations.tsx";
import { Row } from "../../../ui/layout.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { useListbox } from "../../../ui/use-listbox.ts";
import styles from "./found-elsewhere.module.css";

const PAGE_ROWS = 8;

interface FoundElsewhereProps {
  query: string;
  /** The chats that were found by their name, which are shown above. */
  shownChats: readonly ChatKey[];
  onClear: () => void;
}

/** What the search field above the chat list finds besides chats: friends, groups, messages and files. */
export function FoundElsewhere({ query, shownChats, onClear }: FoundElsewhereProps) {
  const t = useText();
  const search = useSearchSections(query, { shownChats });
  const items = search.sections.flatMap((section) => section.items);
  const [hasFocus, setHasFocus] = useState(false);
  const select = (item: SearchItem) => (item.kind === "more" ? search.showMore(item) : openSearchItem(item));
  const { active, optionId, moveTo, listProps } = useListbox({
    keys: items.map(({ id }) => id),
    selected: null,
    pageSize: () => PAGE_ROWS,
    reveal: (index) =>
      document.getElementById(optionId(items[index]?.id ?? ""))?.scrollIntoView({ block: "nearest" }),
    onOpen: (id) => {
      const item = items.find((candidate) => candidate.id === id);
      if (item !== undefined) select(item);
    },
  });
  const activeId = hasFocus ? items[active]?.id : undefined;
  return (
    <>
      {items.length > 0 && (
        <div
          {...listProps}
          className={styles.list}
          aria-label={t("search.results")}
          onFocus={() => setHasFocus(true)}
          onBlur={() => {
            setHasFocus(false);
            listProps.onBlur();
          }}
        >
          {search.sections.map(({ title, items: rows }) => (
            <div key={title} role="group" aria-labelledby={optionId(title)}>
              <div className={rowStyles.title} id={optionId(title)}>
                {t(title)}
              </div>
              {rows.map((item) => (
                <SearchRow
                  key={item.id}
                  optionId={optionId(item.id)}
                  item={item}
                  query={query}
                  isActive={item.id === activeId}
                  onSelect={select}
                  onActivate={moveTo}
                />
              ))}
            </div>
          ))}
        </div>
      )}
      {search.isBusy ? (
        <Row justify="center" padding={12} size={13} tone="tertiary">
          <Spinner />
        </Row>
      ) : search.hasFailed ? (
        <Row justify="center" padding={12} size={13} tone="tertiary" role="status">
          {t("search.failed")}
        </Row>
      ) : (
        items.length === 0 &&
        shownChats.length === 0 && (
          <EmptyState
            illustration={<SearchIllustration />}
            text={t("search.empty")}
            action={
              <Row align="stretch" justify="center" gap={8} wrap>
                <Button size="small" onClick={onClear}>
                  {t("friend.clearSearch")}
                </Button>
                <Button size="small" onClick={() => openDialog({ kind: "addFriend" })}>
                  {t("friend.add")}
                </Button>
              </Row>
            }
          />
        )
      )}
    </>
  );
}
