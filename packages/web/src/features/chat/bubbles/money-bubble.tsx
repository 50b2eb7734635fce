import { ArrowLeftRight, Gift } from "lucide-react";
import { MessageType } from "@parley/protocol/codes";
import { redEnvelopeContent, transferContent } from "@parley/protocol/message";
import { parseObject } from "@parley/core/model/json";
import { useText } from "../../../kit/i18n.ts";
import { ICON } from "../../../ui/icon.ts";
import { BubbleFrame } from "./frame.tsx";
import type { BubbleProps } from "./frame.tsx";
import { UnsupportedBubble } from "./unsupported-bubble.tsx";
import styles from "./cards.module.css";

/** Red envelopes and transfers, which other clients of the server handle: here they are only read. */
export function MoneyBubble(props: BubbleProps) {
  const t = useText();
  const { type, content } = props.message;
  const isTransfer = type === MessageType.TRANSFER;
  const words = isTransfer ? transferWords(content) : envelopeWords(content);
  if (words === null) return <UnsupportedBubble {...props} />;
  const Icon = isTransfer ? ArrowLeftRight : Gift;
  return (
    <BubbleFrame {...props} look="card">
      <span className={styles.card}>
        <span className={styles.round}>
          <Icon {...ICON} />
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

function transferWords(content: string): Money | null {
  const read = transferContent.safeParse(parseObject(content));
  return read.success ? { amount: String(read.data.amount), text: read.data.remark } : null;
}

function envelopeWords(content: string): Money | null {
  const read = redEnvelopeContent.safeParse(parseObject(content));
  return read.success ? { amount: null, text: read.data.message } : null;
}
