import { searchableContent } from "@parley/protocol/searchable-content";
import type { FoundMessage } from "@parley/core/search/search-query";
import { emoticonsToText } from "../../../kit/i18n/emoticon-names.ts";
import { useLocale, useText } from "../../../kit/i18n/i18n.ts";
import { HighlightedText, snippet } from "../../../kit/search/highlighted-text.tsx";
import { listTime } from "../../../kit/i18n/time-text.ts";
import { Button } from "../../../ui/button.tsx";
import { Row, Text } from "../../../ui/layout.tsx";
import { RowList } from "../../../ui/row-list.tsx";
import { useTextScale } from "../../../ui/use-text-scale.ts";
import { messageSummary, useSenderName } from "../message/message-summary.ts";
import type { SearchResultPage } from "./use-search-results.ts";
import styles from "./search-results.module.css";

const ROW_PX = 56;
const MORE = "more";

interface SearchResultsProps {
  page: SearchResultPage;
  /** Gets the index of the result. */
  onSelect: (index: number) => void;
  onMore: () => void;
}

/** The list of results, newest first: sender, time and the text around the match. */
export function SearchResults({ page, onSelect, onMore }: SearchResultsProps) {
  const t = useText();
  const scale = useTextScale();
  const rows = [...page.results, ...(page.next === null ? [] : [MORE])] as const;
  return (
    <div className={styles.list} style={{ blockSize: rows.length * ROW_PX * scale + 8 }}>
      <RowList
        items={rows}
        keyOf={(row) => (typeof row === "string" ? row : (row.message.id ?? row.message.key))}
        rowHeight={ROW_PX}
        listLabel={t("find.list")}
        keepMounted={page.currentIndex}
      >
        {(row, index) =>
          typeof row === "string" ? (
            <Row justify="center" className={styles.more}>
              <Button variant="ghost" size="small" onClick={onMore}>
                {t("search.more")}
              </Button>
            </Row>
          ) : (
            <SearchResultRow
              result={row}
              query={page.query.text}
              isCurrent={index === page.currentIndex}
              onSelect={() => onSelect(index)}
            />
          )
        }
      </RowList>
    </div>
  );
}

interface SearchResultRowProps {
  result: FoundMessage;
  query: string;
  /** The result that is shown in the timeline now. */
  isCurrent: boolean;
  onSelect: () => void;
}

function SearchResultRow({ result: { key, message }, query, isCurrent, onSelect }: SearchResultRowProps) {
  const t = useText();
  const locale = useLocale();
  const sender = useSenderName(key, message.sendId, message.sendNickName);
  const words = emoticonsToText(searchableContent(message.type, message.content), t);
  // A picture has no words.
  const { text, ranges } = snippet(words === "" ? messageSummary(message, t) : words, query);
  return (
    <button
      type="button"
      className={styles.result}
      aria-current={isCurrent ? "true" : undefined}
      onClick={onSelect}
    >
      <Row as="span" align="baseline" gap={12} shrink>
        <Text as="bdi" grow truncate size={12} line={16} tone="secondary">
          {sender}
        </Text>
        <time className={styles.time} dateTime={new Date(message.sendTime).toISOString()}>
          {listTime(message.sendTime, Date.now(), locale, t)}
        </time>
      </Row>
      <Text truncate size={14} line={20}>
        <HighlightedText text={text} ranges={ranges} />
      </Text>
    </button>
  );
}
