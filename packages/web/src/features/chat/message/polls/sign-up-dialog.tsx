import { useState } from "react";
import { POLL_OPTION_MAX, POLL_QUESTION_MAX } from "@parley/protocol/limits";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { useClient } from "../../../../kit/loading/use-client.ts";
import { Button } from "../../../../ui/button.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { TextField } from "../../../../ui/field.tsx";
import { Stack } from "../../../../ui/layout.tsx";
import { useConversationUi } from "../conversation-ui.ts";
import { EndField } from "./end-field.tsx";
import { parseSignUp, type PollEnd } from "./poll-form.ts";

/** Asks what people shall sign up for, and sends it as a list. */
export function SignUpDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const ui = useConversationUi();
  const [question, setQuestion] = useState("");
  const [line, setLine] = useState("");
  const [end, setEnd] = useState<PollEnd>("never");
  const [isSubmitted, setSubmitted] = useState(false);
  const parsed = parseSignUp({ question, line, end }, Date.now() - client.getState().clockAheadMs);
  const send = () => {
    setSubmitted(true);
    if (parsed === null) return;
    client.chats.sendPoll(ui.key, parsed.question, parsed.poll);
    onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t("signUp.title")}
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
          label={t("signUp.question")}
          error={isSubmitted && parsed === null ? t("signUp.needsQuestion") : undefined}
          maxLength={POLL_QUESTION_MAX}
          autoFocus
          autoComplete="off"
          dir="auto"
          value={question}
          onChange={(event) => setQuestion(event.currentTarget.value)}
        />
        <TextField
          label={t("signUp.myLine")}
          hint={t("signUp.firstLineHint")}
          maxLength={POLL_OPTION_MAX}
          autoComplete="off"
          dir="auto"
          value={line}
          onChange={(event) => setLine(event.currentTarget.value)}
        />
        <EndField value={end} onChange={setEnd} />
      </Stack>
    </Dialog>
  );
}
