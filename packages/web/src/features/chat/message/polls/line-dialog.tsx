import { useState } from "react";
import { shownSignUp } from "@parley/core/model/chats/polls";
import { POLL_OPTION_MAX } from "@parley/protocol/limits";
import { isVisible } from "@parley/protocol/text";
import { useText } from "../../../../kit/i18n/i18n.ts";
import { useClient } from "../../../../kit/loading/use-client.ts";
import { myIdOf } from "../../../../kit/people/person.ts";
import { Button } from "../../../../ui/button.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { TextField } from "../../../../ui/field.tsx";
import { useConversationUi } from "../conversation-ui.ts";

/** Asks for one's line of a sign-up list; one that is there can be changed or taken back. */
export function LineDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const { key } = useConversationUi();
  const [before] = useState(() => {
    const state = client.getState();
    const message = state.chats.byKey[key]?.window.messages.find((one) => one.id === id);
    return shownSignUp(message ?? {}, myIdOf(state), Date.now(), state.unsentActs[id])?.myLine ?? "";
  });
  const [text, setText] = useState(before);
  const [isSubmitted, setSubmitted] = useState(false);
  const line = text.trim();
  const set = (next: string) => {
    client.chats.setSignUpLine(key, id, next);
    onClose();
  };
  const save = () => {
    setSubmitted(true);
    if (isVisible(line)) set(line);
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={before === "" ? t("signUp.join") : t("signUp.change")}
      width={400}
      onSubmit={save}
      footer={
        <>
          {before === "" ? (
            <Button onClick={onClose}>{t("app.cancel")}</Button>
          ) : (
            <Button onClick={() => set("")}>{t("signUp.takeBack")}</Button>
          )}
          <Button variant="primary" type="submit">
            {before === "" ? t("signUp.join") : t("signUp.save")}
          </Button>
        </>
      }
    >
      <TextField
        label={t("signUp.myLine")}
        hint={t("signUp.lineHint")}
        error={isSubmitted && !isVisible(line) ? t("signUp.needsLine") : undefined}
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
