import { useId, useState } from "react";
import { Plus, X } from "lucide-react";
import {
  POLL_OPTION_MAX,
  POLL_OPTIONS_MAX,
  POLL_OPTIONS_MIN,
  POLL_QUESTION_MAX,
} from "@parley/protocol/limits";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { useClient } from "../../../../kit/loading/use-client.ts";
import { Button, IconButton } from "../../../../ui/button.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { FieldNote, TextField } from "../../../../ui/field.tsx";
import { ICON_PROPS } from "../../../../ui/icon-props.ts";
import { Row, Stack, Text } from "../../../../ui/layout.tsx";
import { SelectField } from "../../../../ui/select-field.tsx";
import { Switch } from "../../../../ui/switch.tsx";
import { useConversationUi } from "../conversation-ui.ts";
import { EndField } from "./end-field.tsx";
import { EMPTY_POLL, parsePoll, type PollForm } from "./poll-form.ts";
import styles from "./polls.module.css";

/** Asks for a question with its options, and sends it as a poll. */
export function PollDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const [form, setForm] = useState(EMPTY_POLL);
  const [isSubmitted, setSubmitted] = useState(false);
  const change = (part: Partial<PollForm>) => setForm((current) => ({ ...current, ...part }));

  const parsed = parsePoll(form, Date.now() - client.getState().clockAheadMs);
  const errors = isSubmitted && "errors" in parsed ? parsed.errors : [];
  const send = () => {
    setSubmitted(true);
    if ("errors" in parsed) return;
    client.chats.sendPoll(ui.key, parsed.question, parsed.poll);
    onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t("poll.title")}
      width={440}
      onSubmit={send}
      footer={
        <>
          <Button onClick={onClose}>{t("app.cancel")}</Button>
          <Button variant="primary" type="submit">
            {t("chat.send")}
          </Button>
        </>
      }
    >
      <Stack gap={16}>
        <TextField
          label={t("poll.question")}
          error={errors.includes("question") ? t("poll.needsQuestion") : undefined}
          maxLength={POLL_QUESTION_MAX}
          autoComplete="off"
          dir="auto"
          value={form.question}
          onChange={(event) => change({ question: event.currentTarget.value })}
        />
        <OptionFields
          options={form.options}
          error={errors.includes("options") ? t("poll.needsOptions") : null}
          onChange={(options) => change({ options })}
        />
        <Row gap={12} align="start" wrap>
          <SelectField
            label={t("poll.choices")}
            value={String(Math.min(form.max, form.options.length))}
            options={form.options.map((_, index) => ({
              value: String(index + 1),
              text: index === 0 ? t("poll.one") : t("poll.upTo", { max: index + 1 }),
            }))}
            onChange={(max) => change({ max: Number(max) })}
          />
          <EndField value={form.end} onChange={(end) => change({ end })} />
        </Row>
        <SwitchRow
          label={t("poll.othersAdd")}
          hint={t("poll.othersAddHint", { max: POLL_OPTIONS_MAX })}
          isOn={form.addable}
          onChange={(addable) => change({ addable })}
        />
        <SwitchRow
          label={t("poll.secret")}
          hint={t("poll.secretHint")}
          isOn={form.secret}
          onChange={(secret) => change({ secret })}
        />
        <SwitchRow
          label={t("poll.hidden")}
          hint={t("poll.hiddenHint")}
          isOn={form.hidden}
          onChange={(hidden) => change({ hidden })}
        />
      </Stack>
    </Dialog>
  );
}

interface OptionFieldsProps {
  options: readonly string[];
  error: string | null;
  onChange: (options: readonly string[]) => void;
}

/** A field for each option. Enter in the last one adds another. */
function OptionFields({ options, error, onChange }: OptionFieldsProps) {
  const t = useText();
  const noteId = useId();
  return (
    <Stack gap={8} role="group" aria-label={t("poll.options")} aria-describedby={noteId}>
      {options.map((option, index) => (
        // The options have no names but their places.
        <Row key={index} gap={8}>
          <Stack grow>
            <TextField
              label={t("poll.option", { number: index + 1 })}
              isLabelHidden
              placeholder={t("poll.option", { number: index + 1 })}
              maxLength={POLL_OPTION_MAX}
              autoComplete="off"
              dir="auto"
              value={option}
              onChange={(event) => onChange(options.with(index, event.currentTarget.value))}
            />
          </Stack>
          {options.length > POLL_OPTIONS_MIN && (
            <IconButton
              label={t("poll.removeOption", { number: index + 1 })}
              onClick={() => onChange(options.toSpliced(index, 1))}
            >
              <X {...ICON_PROPS} />
            </IconButton>
          )}
        </Row>
      ))}
      <FieldNote id={noteId} error={error} />
      {options.length < POLL_OPTIONS_MAX && (
        <Row>
          <Button variant="ghost" icon={<Plus {...ICON_PROPS} />} onClick={() => onChange([...options, ""])}>
            {t("poll.addOption")}
          </Button>
        </Row>
      )}
    </Stack>
  );
}

interface SwitchRowProps {
  label: string;
  hint: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

function SwitchRow({ label, hint, isOn, onChange }: SwitchRowProps) {
  const id = useId();
  return (
    <Row gap={12} justify="between" className={styles.switchRow}>
      <Stack grow>
        <Text id={id}>{label}</Text>
        <Text id={`${id}-hint`} size={12} tone="secondary">
          {hint}
        </Text>
      </Stack>
      <Switch labelId={id} hintId={`${id}-hint`} isOn={isOn} onChange={onChange} />
    </Row>
  );
}
