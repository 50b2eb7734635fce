import { type ReactNode, useState } from "react";
import { Copy } from "lucide-react";
import type { Failure, Result } from "@parley/core/model/state";
import { BAN_REASON_MAX } from "@parley/protocol/limits";
import { isVisible } from "@parley/protocol/text";
import { copyWithToast } from "../../kit/forms/copy-text.ts";
import { useDiscardQuestion } from "../../kit/dialogs/discard-question.tsx";
import { useText } from "../../kit/i18n/i18n.ts";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog, Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { ICON_PROPS_16 } from "../../ui/icon-props.ts";
import { Card, Stack } from "../../ui/layout.tsx";
import { ActFailure } from "./admin-page.tsx";
import styles from "./admin-page.module.css";

/** Runs acts one at a time: says that one runs, why it failed, and in a toast that it is done. */
export function useAct() {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const run = async <Value,>(
    act: () => Promise<Result<Value>>,
    doneText?: string,
  ): Promise<Result<Value>> => {
    setBusy(true);
    setFailure(null);
    const result = await act();
    setBusy(false);
    if (!result.ok) setFailure(result.failure);
    else if (doneText !== undefined) toasts.success(doneText);
    return result;
  };
  return { run, isBusy, failure };
}

interface ActDialogProps {
  title: string;
  body: ReactNode;
  confirmLabel: string;
  /** Said in a toast after it is done. */
  doneText: string;
  act: () => Promise<Result<unknown>>;
  onDone: () => void;
  onClose: () => void;
}

/**
 * Asks before something is done that is hard to take back. The dialog stays open until the server has answered, and says if that failed.
 * While it waits, "Cancel" could take nothing back, so it is off.
 */
export function ActDialog({ title, body, confirmLabel, doneText, act, onDone, onClose }: ActDialogProps) {
  const t = useText();
  const { run, isBusy, failure } = useAct();
  return (
    <ConfirmDialog
      isOpen
      isDanger
      title={title}
      body={
        <Stack gap={16}>
          <p>{body}</p>
          <ActFailure failure={failure} />
        </Stack>
      }
      confirmLabel={confirmLabel}
      cancelLabel={t("app.cancel")}
      isBusy={isBusy}
      onConfirm={() => void run(act, doneText).then(({ ok }) => ok && onDone())}
      onCancel={() => !isBusy && onClose()}
    />
  );
}

interface ActFormProps extends Omit<ActDialogProps, "body"> {
  /** The fields. */
  children: ReactNode;
  isDanger?: boolean;
  /** Whether something was entered, which closing would lose. */
  isChanged: boolean;
  /** Whether the fields can be sent. */
  isReady?: boolean;
  width?: number;
}

/** A dialog with fields, such as a reason. Enter in a field sends them. It stays open until the server has answered. */
export function ActForm(props: ActFormProps) {
  const { title, confirmLabel, doneText, act, onDone, onClose, isChanged, children } = props;
  const { isDanger = false, isReady = true, width = 440 } = props;
  const t = useText();
  const { run, isBusy, failure } = useAct();
  const submit = () => {
    if (isReady && !isBusy) void run(act, doneText).then(({ ok }) => ok && onDone());
  };
  const discard = useDiscardQuestion(isChanged, onClose);
  const close = () => !isBusy && discard.close();
  return (
    <Dialog
      isOpen
      onClose={close}
      title={title}
      width={width}
      onSubmit={submit}
      footer={
        <>
          <Button disabled={isBusy} onClick={close}>
            {t("app.cancel")}
          </Button>
          <Button
            type="submit"
            variant={isDanger ? "dangerFill" : "primary"}
            isBusy={isBusy}
            disabled={!isReady}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <Stack gap={16}>
        {children}
        <ActFailure failure={failure} />
      </Stack>
      {discard.question}
    </Dialog>
  );
}

interface BanDialogProps {
  title: string;
  /** What the ban does. */
  note: string;
  doneText: string;
  act: (reason: string) => Promise<Result<unknown>>;
  onDone: (reason: string) => void;
  onClose: () => void;
}

/** Asks for the reason of a ban, which those whom it concerns will read. */
export function BanDialog({ title, note, doneText, act, onDone, onClose }: BanDialogProps) {
  const t = useText();
  const [reason, setReason] = useState("");
  return (
    <ActForm
      title={title}
      confirmLabel={t("admin.ban")}
      doneText={doneText}
      isDanger
      isChanged={reason.trim() !== ""}
      isReady={isVisible(reason)}
      act={() => act(reason.trim())}
      onDone={() => onDone(reason.trim())}
      onClose={onClose}
    >
      <p className={styles.note}>{note}</p>
      <TextField
        label={t("admin.reason")}
        hint={t("admin.reasonHint")}
        maxLength={BAN_REASON_MAX}
        value={reason}
        dir="auto"
        autoFocus
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ActForm>
  );
}

interface PasswordDialogProps {
  userName: string;
  password: string;
  /** The element to which the focus returns. */
  opener: HTMLElement | null;
  onClose: () => void;
}

/** A new password, which the server does not tell again. */
export function PasswordDialog({ userName, password, opener, onClose }: PasswordDialogProps) {
  const t = useText();
  return (
    <Dialog
      isOpen
      onClose={onClose}
      opener={opener}
      isKept
      title={t("admin.password.title")}
      width={440}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t("admin.password.done")}
        </Button>
      }
    >
      <Stack gap={16}>
        <p>{t("admin.password.body", { userName })}</p>
        <Secret text={password} />
      </Stack>
    </Dialog>
  );
}

/** A text to hand on, such as a password or an invite code, with a button that copies it. */
export function Secret({ text }: { text: string }) {
  const t = useText();
  return (
    <Card variant="soft" direction="row" wrap gap={12} paddingX={16} paddingY={12} className={styles.secret}>
      <code>{text}</code>
      <Button size="small" icon={<Copy {...ICON_PROPS_16} />} onClick={() => void copyWithToast(text)}>
        {t("act.copy")}
      </Button>
    </Card>
  );
}
