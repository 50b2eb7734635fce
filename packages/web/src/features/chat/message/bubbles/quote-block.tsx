import type { QuoteMessage } from "@parley/protocol/message";
import { MessageStatus } from "@parley/protocol/codes";
import { isMaskedQuote } from "@parley/core/model/chats/row-events";
import type { ChatKey } from "@parley/core/model/state";
import { useText } from "../../../../kit/i18n.ts";
import { showMessage } from "../../../../kit/show-message.ts";
import { useClient } from "../../../../kit/use-client.ts";
import { pictureOf } from "../media/media-content.ts";
import { quoteSummary } from "../message-summary.ts";
import { useSenderName } from "../use-sender-name.ts";
import styles from "./quote-block.module.css";

/** The quoted message in one line, with a small picture if it is one. A click scrolls to it. */
export function QuoteBlock({ chatKey, quote }: { chatKey: ChatKey; quote: QuoteMessage }) {
  const t = useText();
  const isUnavailable = quote.status === MessageStatus.RECALL || isMaskedQuote(quote);
  const text = quoteSummary(quote, t);
  const client = useClient();
  const thumb = isUnavailable ? null : (pictureOf(quote)?.thumbUrl ?? null);
  const name = useSenderName(chatKey, quote.sendId, null);
  return (
    <button
      type="button"
      className={styles.quote}
      aria-label={t("chat.quoted", { name, text })}
      disabled={isUnavailable}
      data-quote
      onClick={() => showMessage(chatKey, quote.id)}
    >
      {thumb !== null && (
        <img
          className={styles.thumb}
          src={client.fileUrl(thumb)}
          alt=""
          width={36}
          height={36}
          loading="lazy"
        />
      )}
      <span className={styles.lines}>
        {!isUnavailable && (
          <span className={styles.name} dir="auto">
            {name}
          </span>
        )}{" "}
        <span className={styles.text} dir="auto">
          {text}
        </span>
      </span>
    </button>
  );
}
