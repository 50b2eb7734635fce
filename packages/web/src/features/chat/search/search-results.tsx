import { ChatType } from "@parley/protocol/codes";
import { searchableContent } from "@parley/protocol/searchable-content";
import { parseChatKey } from "@parley/core/model/chats/chat-rows";
import type { FoundMessage } from "@parley/core/client-api";
import { emoticonsToText } from "../../../kit/emoticon-names.ts";
import { memberNameOf } from "../../../kit/group.ts";
import { useLocale, useText } from "../../../kit/i18n.ts";
import { HighlightedText } from "../../../kit/highlighted-text.tsx";
import { usePerson } from "../../../kit/person.ts";
import { snippet } from "../../../kit/snippet.ts";
import { listTime } from "../../../kit/time-text.ts";
import { useClientState } from "../../../kit/use-client.ts";
import { Button } from "../../../ui/button.tsx";
import { RowList } from "../../../ui/row-list.tsx";
import { useTextScale } from "../../../ui/use-text-scale.ts";
import type { SearchResultPage } from "./use-search-results.ts";
import styles from "./search-results.module.css";

const ROW_PX = 56;
const MORE = "more";

interface SearchResultsProps {
  found: SearchResultPage;
  /** Gets the place among the hits. */
  onChoose: (at: number) => void;
  onMore: () => void;
}

/** All that was found, newest first: who wrote it and when, and the words around what was looked for. */
export function SearchResults({ found, onChoose, onMore }: SearchResultsProps) {
  const t = useText();
  const scale = useTextScale();
  const rows = [...found.results, ...(found.next === null ? [] : [MORE])] as const;
  return (
    <div className={styles.list} style={{ blockSize: rows.length * ROW_PX * scale + 8 }}>
      <RowList
        items={rows}
        keyOf={(row) => (typeof row === "string" ? row : (row.message.id ?? row.message.key))}
        rowHeight={ROW_PX}
        listLabel={t("find.list")}
        keepMounted={found.at}
      >
        {(row, at) =>
          typeof row === "string" ? (
            <div className={styles.more}>
              <Button variant="quiet" size="small" onClick={onMore}>
                {t("search.more")}
              </Button>
            </div>
          ) : (
            <SearchResultRow
              result={row}
              query={found.query.text}
              isCurrent={at === found.at}
              onChoose={() => onChoose(at)}
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
  /** The one that is shown among the messages. */
  isCurrent: boolean;
  onChoose: () => void;
}

function SearchResultRow({ result: { key, message }, query, isCurrent, onChoose }: SearchResultRowProps) {
  const t = useText();
  const locale = useLocale();
  const chat = parseChatKey(key);
  const sender = usePerson(message.sendId).name;
  const member = useClientState((state) =>
    chat?.type === ChatType.GROUP
      ? memberNameOf(state, chat.targetId, message.sendId, message.sendNickName, t)
      : null,
  );
  const { text, ranges } = snippet(
    emoticonsToText(searchableContent(message.type, message.content), t),
    query,
  );
  return (
    <button
      type="button"
      className={styles.hit}
      aria-current={isCurrent ? "true" : undefined}
      onClick={onChoose}
    >
      <span className={styles.line}>
        <bdi className={styles.name}>{message.selfSend ? t("chat.me") : (member ?? sender)}</bdi>
        <time className={styles.time} dateTime={new Date(message.sendTime).toISOString()}>
          {listTime(message.sendTime, Date.now(), locale, t)}
        </time>
      </span>
      <span className={styles.words}>
        <HighlightedText text={text} ranges={ranges} />
      </span>
    </button>
  );
}
