import { ChatType } from "@parley/protocol/codes";
import { searchedText } from "@parley/protocol/searched-text";
import { parseChatKey } from "@parley/core/model/rows";
import type { SearchFind } from "@parley/core/runtime/client-api";
import { plainEmoticons } from "../../../kit/emoticon-words.ts";
import { memberNameOf } from "../../../kit/groups.ts";
import { useLocale, useText } from "../../../kit/i18n.ts";
import { MarkedText } from "../../../kit/marked-text.tsx";
import { usePerson } from "../../../kit/people.ts";
import { snippet } from "../../../kit/snippet.ts";
import { listTime } from "../../../kit/time-text.ts";
import { useClientState } from "../../../kit/use-client.ts";
import { Button } from "../../../ui/button.tsx";
import { RowList } from "../../../ui/row-list.tsx";
import { useTextScale } from "../../../ui/use-text-scale.ts";
import type { Hits } from "./use-hits.ts";
import styles from "./hit-list.module.css";

const ROW_PX = 56;
const MORE = "more";

interface HitListProps {
  found: Hits;
  /** Gets the place among the hits. */
  onChoose: (at: number) => void;
  onMore: () => void;
}

/** All that was found, newest first: who wrote it and when, and the words around what was looked for. */
export function HitList({ found, onChoose, onMore }: HitListProps) {
  const t = useText();
  const scale = useTextScale();
  const rows = [...found.hits, ...(found.next === null ? [] : [MORE])] as const;
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
            <Hit
              hit={row}
              query={found.wanted.text}
              isCurrent={at === found.at}
              onChoose={() => onChoose(at)}
            />
          )
        }
      </RowList>
    </div>
  );
}

interface HitProps {
  hit: SearchFind;
  query: string;
  /** The one that is shown among the messages. */
  isCurrent: boolean;
  onChoose: () => void;
}

function Hit({ hit: { key, message }, query, isCurrent, onChoose }: HitProps) {
  const t = useText();
  const locale = useLocale();
  const chat = parseChatKey(key);
  const sender = usePerson(message.sendId).name;
  const member = useClientState((state) =>
    chat?.type === ChatType.GROUP
      ? memberNameOf(state, chat.targetId, message.sendId, message.sendNickName, t)
      : null,
  );
  const { text, ranges } = snippet(plainEmoticons(searchedText(message.type, message.content), t), query);
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
        <MarkedText text={text} ranges={ranges} />
      </span>
    </button>
  );
}
