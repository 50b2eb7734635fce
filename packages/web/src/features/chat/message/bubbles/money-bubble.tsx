import { ArrowLeftRight, Gift } from "lucide-react";
import { MessageType } from "@parley/protocol/codes";
import { redEnvelopeContent, transferContent } from "@parley/protocol/message";
import { parseObject } from "@parley/core/model/parse-object";
import { useText } from "../../../../kit/i18n.ts";
import { ICON_PROPS } from "../../../../ui/icon-props.ts";
import { BubbleFrame } from "./bubble-frame.tsx";
import type { BubbleProps } from "./bubble-frame.tsx";
import { UnsupportedBubble } from "./unsupported-bubble.tsx";
import styles from "./card-bubbles.module.css";

/** Red envelopes and transfers, which other clients of the server handle: here they are only read. */
export function MoneyBubble(props: BubbleProps) {
  const t = useText();
  const { type, content } = props.message;
  const isTransfer = type === MessageType.TRANSFER;
  const words = isTransfer ? transferText(content) : envelopeText(content);
  if (words === null) return <UnsupportedBubble {...props} />;
  const Icon = isTransfer ? ArrowLeftRight : Gift;
  return (
    <BubbleFrame {...props} look="card">
      <span className={styles.card}>
        <span className={styles.round}>
          <Icon {...ICON_PROPS} />
        </span>
        <span className={styles.facts}>
          <span className={styles.title} dir="auto">
            {words.amount === null ? words.text || t("chat.redEnvelope") : `¥${words.amount}`}
          </span>
          {words.amount !== null && words.text !== "" && (
            <span className={styles.line} dir="auto">
              {words.text}
            </span>
          )}
        </span>
      </span>
      <span className={styles.kind}>{t(isTransfer ? "chat.transfer" : "chat.redEnvelope")}</span>
    </BubbleFrame>
  );
}

interface Money {
  readonly amount: string | null;
  readonly text: string;
}

function transferText(content: string): Money | null {
  const read = transferContent.safeParse(parseObject(content));
  return read.success ? { amount: String(read.data.amount), text: read.data.remark } : null;
}

function envelopeText(content: string): Money | null {
  const read = redEnvelopeContent.safeParse(parseObject(content));
  return read.success ? { amount: null, text: read.data.message } : null;
}
