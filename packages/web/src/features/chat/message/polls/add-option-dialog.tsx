import { useState } from "react";
import { POLL_OPTION_MAX, POLL_OPTIONS_MAX } from "@parley/protocol/limits";
import { isVisible } from "@parley/protocol/text";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { useClient, useClientState } from "../../../../kit/loading/use-client.ts";
import { Button } from "../../../../ui/button.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { TextField } from "../../../../ui/field.tsx";
import { useConversationUi } from "../conversation-ui.ts";

/** Asks for an option to add to a poll. */
export function AddOptionDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useText();
  const { chats } = useClient();
  const { key } = useConversationUi();
  const options = useClientState(
    (state) => state.chats.byKey[key]?.window.messages.find((one) => one.id === id)?.extra?.poll?.options,
  );
  const [text, setText] = useState("");
  const [isSubmitted, setSubmitted] = useState(false);
  const option = text.trim();
  const error = !isVisible(option)
    ? t("poll.needsOption")
    : options?.includes(option) === true
      ? t("poll.hasOption")
      : undefined;
  const add = () => {
    setSubmitted(true);
    if (error !== undefined) return;
    chats.addPollOption(key, id, option);
    onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t("poll.addOption")}
      width={400}
      onSubmit={add}
      footer={
        <>
          <Button onClick={onClose}>{t("app.cancel")}</Button>
          <Button variant="primary" type="submit">
            {t("poll.add")}
          </Button>
        </>
      }
    >
      <TextField
        label={t("poll.newOption")}
        hint={t("poll.othersAddHint", { max: POLL_OPTIONS_MAX })}
        error={isSubmitted ? error : undefined}
        maxLength={POLL_OPTION_MAX}
        autoFocus
        autoComplete="off"
        dir="auto"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </Dialog>
  );
}
