import { useMemo } from "react";
import { CircleAlert, CircleCheck } from "lucide-react";
import type {
  BroadcastCounts,
  BroadcastRecipient,
  BroadcastRun,
} from "@parley/core/model/broadcast/broadcast";
import { countRecipients, nextStep } from "@parley/core/model/broadcast/broadcast-run";
import { broadcastResult } from "../../kit/chats/broadcast-result.ts";
import { failureText } from "../../kit/i18n/failure-text.ts";
import { type Translate, useText } from "../../kit/i18n/i18n.ts";
import { usePerson } from "../../kit/people/person.ts";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import { Box, Row, Stack, Text } from "../../ui/layout.tsx";
import { RowList } from "../../ui/row-list.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import styles from "./broadcast.module.css";

/** The width of the dialog in px (spec §9). */
export const BROADCAST_WIDTH_PX = 750;

const ROW_PX = 56;

interface ProgressProps {
  run: BroadcastRun;
  onClose: () => void;
}

/** A broadcast that is being sent, or its result: what became of each recipient. */
export function Progress({ run, onClose }: ProgressProps) {
  const t = useText();
  const counts = countRecipients(run);
  const isSending = counts.waiting > 0;
  const isOnline = useClientState((state) => state.connection.kind === "online");
  const current = isSending && isOnline ? (nextStep(run)?.userId ?? null) : null;
  // What needs attention comes first in the result.
  const recipients = useMemo(
    () => (isSending ? run.recipients : run.recipients.toSorted((a, b) => RANKS[a.state] - RANKS[b.state])),
    [run, isSending],
  );
  return (
    <Dialog
      isOpen
      isFlush
      isSheet
      onClose={onClose}
      title={t("broadcast.title")}
      width={BROADCAST_WIDTH_PX}
      footer={
        isSending ? <SendingButtons onClose={onClose} /> : <EndButtons counts={counts} onClose={onClose} />
      }
    >
      <Stack className={styles.progress}>
        {isSending ? (
          <SendingHead counts={counts} partCount={run.parts.length} isOnline={isOnline} />
        ) : (
          <ResultHead counts={counts} />
        )}
        <Stack grow>
          <RowList items={recipients} keyOf={keyOf} rowHeight={ROW_PX} listLabel={t("broadcast.results")}>
            {(recipient) => (
              <Recipient
                recipient={recipient}
                partCount={run.parts.length}
                isCurrent={recipient.userId === current}
              />
            )}
          </RowList>
        </Stack>
      </Stack>
    </Dialog>
  );
}

const keyOf = ({ userId }: BroadcastRecipient) => userId;

const RANKS: Readonly<Record<BroadcastRecipient["state"], number>> = {
  failed: 0,
  cancelled: 1,
  waiting: 2,
  sent: 3,
};

function SendingButtons({ onClose }: { onClose: () => void }) {
  const t = useText();
  const { broadcast } = useClient();
  return (
    <>
      <Text grow size={13} tone="secondary" textAlign="start" className={styles.note}>
        {t("broadcast.background")}
      </Text>
      <Button variant="danger" onClick={() => broadcast.cancel()}>
        {t("broadcast.stop")}
      </Button>
      <Button onClick={onClose}>{t("app.close")}</Button>
    </>
  );
}

function EndButtons({ counts, onClose }: { counts: BroadcastCounts; onClose: () => void }) {
  const t = useText();
  const { broadcast } = useClient();
  return (
    <>
      <Text grow size={13} tone="secondary" textAlign="start" className={styles.note}>
        <Button variant="ghost" onClick={() => broadcast.dismiss()}>
          {t("broadcast.another")}
        </Button>
      </Text>
      {counts.failed > 0 && (
        <Button onClick={() => broadcast.retryFailed()}>
          {t("broadcast.retry", { count: counts.failed })}
        </Button>
      )}
      <Button
        variant="primary"
        onClick={() => {
          broadcast.dismiss();
          onClose();
        }}
      >
        {t("broadcast.done")}
      </Button>
    </>
  );
}

interface SendingHeadProps {
  counts: BroadcastCounts;
  partCount: number;
  isOnline: boolean;
}

function SendingHead({ counts: { total, waiting }, partCount, isOnline }: SendingHeadProps) {
  const t = useText();
  const done = total - waiting;
  const progress = t("broadcast.progress", { done, total });
  return (
    <Box shrink={false} className={styles.head}>
      <Row gap={8}>
        <Spinner size={20} />
        <Text as="output" grow weight="name">
          {t("broadcast.sendingTitle")}
        </Text>
        <Text size={13} tone="secondary">
          {progress}
        </Text>
      </Row>
      <div
        className={styles.track}
        role="progressbar"
        aria-label={t("broadcast.sendingTitle")}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        aria-valuetext={progress}
      >
        <div className={styles.bar} style={{ inlineSize: `${(100 * done) / total}%` }} />
      </div>
      <Text as="p" size={12} tone="tertiary">
        {isOnline ? t("broadcast.message", { count: partCount }) : t("broadcast.waitingNetwork")}
      </Text>
    </Box>
  );
}

function ResultHead({ counts }: { counts: BroadcastCounts }) {
  const t = useText();
  const { text, isSuccess } = broadcastResult(counts, t);
  return (
    <Box shrink={false} className={styles.head}>
      <Row gap={8} tone={isSuccess ? "success" : "danger"}>
        {isSuccess ? <CircleCheck {...ICON_PROPS} /> : <CircleAlert {...ICON_PROPS} />}
        <Text as="output" grow weight="name">
          {text}
        </Text>
      </Row>
    </Box>
  );
}

interface RecipientProps {
  recipient: BroadcastRecipient;
  partCount: number;
  /** Their message is on its way. */
  isCurrent: boolean;
}

const STATE_TONES = {
  waiting: "tertiary",
  sent: "success",
  failed: "danger",
  cancelled: "tertiary",
} as const;

function Recipient({ recipient, partCount, isCurrent }: RecipientProps) {
  const t = useText();
  const person = usePerson(recipient.userId);
  const { state } = recipient;
  return (
    <Row
      gap={12}
      paddingX={24}
      className={styles.recipient}
      data-recipient={recipient.userId}
      data-state={state}
    >
      <Avatar name={person.name} url={person.picture} id={recipient.userId} size={32} />
      <Stack grow>
        <Text as="bdi" truncate size={13} line={20}>
          {person.name}
        </Text>
        <Text size={12} line={16} tone={STATE_TONES[state]} className={styles.status}>
          {stateText(recipient, partCount, isCurrent, t)}
        </Text>
      </Stack>
      {isCurrent && <Spinner size={16} />}
    </Row>
  );
}

function stateText(
  { state, sentParts, failure }: BroadcastRecipient,
  partCount: number,
  isCurrent: boolean,
  t: Translate,
): string {
  switch (state) {
    case "waiting":
      return t(isCurrent ? "broadcast.state.sending" : "broadcast.state.waiting");
    case "sent":
      return t("broadcast.state.sent");
    case "failed":
      return t("broadcast.state.failed", {
        reason: failure === null ? t("failure.unknown") : failureText(failure, t),
      });
    case "cancelled":
      return sentParts === 0
        ? t("broadcast.state.cancelled")
        : t("broadcast.state.incomplete", { sent: sentParts, total: partCount });
    default:
      return state satisfies never;
  }
}
