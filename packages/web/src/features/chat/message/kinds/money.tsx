import { ArrowLeftRight, Gift } from "lucide-react";
import { MessageType } from "@parley/protocol/codes";
import { redEnvelopeContent, transferContent } from "@parley/protocol/message";
import { parseObject } from "@parley/core/model/parse-object";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { ICON_PROPS } from "../../../../ui/icon-props.ts";
import { Stack, Text } from "../../../../ui/layout.tsx";
import { BubbleFrame, type BubbleProps, UnsupportedBubble } from "../bubbles/bubble-frame.tsx";
import type { MessageKind } from "./kinds.tsx";
import styles from "./kinds.module.css";

/** Red envelopes and transfers. This client only displays them; other clients can send and open them. */
function MoneyBubble(props: BubbleProps) {
  const t = useText();
  const { type, content } = props.message;
  const isTransfer = type === MessageType.TRANSFER;
  const money = isTransfer ? parseTransfer(content) : parseRedEnvelope(content);
  if (money === null) return <UnsupportedBubble {...props} />;
  const Icon = isTransfer ? ArrowLeftRight : Gift;
  return (
    <BubbleFrame {...props} variant="card">
      <span className={styles.card}>
        <span className={styles.icon}>
          <Icon {...ICON_PROPS} />
        </span>
        <Stack as="span" grow>
          <Text line={20} weight="name" dir="auto">
            {money.amount === null ? money.text || t("chat.redEnvelope") : `¥${money.amount}`}
          </Text>
          {money.amount !== null && money.text !== "" && (
            <Text size={12} line={18} className={styles.line} dir="auto">
              {money.text}
            </Text>
          )}
        </Stack>
      </span>
      <span className={styles.kind}>{t(isTransfer ? "chat.transfer" : "chat.redEnvelope")}</span>
    </BubbleFrame>
  );
}

interface Money {
  readonly amount: string | null;
  readonly text: string;
}

function parseTransfer(content: string): Money | null {
  const parsed = transferContent.safeParse(parseObject(content));
  return parsed.success ? { amount: String(parsed.data.amount), text: parsed.data.remark } : null;
}

function parseRedEnvelope(content: string): Money | null {
  const parsed = redEnvelopeContent.safeParse(parseObject(content));
  return parsed.success ? { amount: null, text: parsed.data.message } : null;
}

export const redEnvelope: MessageKind = { Bubble: MoneyBubble };
export const transfer: MessageKind = { Bubble: MoneyBubble };
