import { useState } from "react";
import { validateRegistration } from "@parley/core/model/forms/form-rules";
import { createPerson } from "@parley/protocol/endpoints/admin-people";
import { useText } from "../../kit/i18n.ts";
import { useApi } from "../../kit/use-api.ts";
import { useForm } from "../../kit/use-form.ts";
import { FailureText } from "../../ui/failure-text.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { PasswordField, TextField } from "../../ui/field.tsx";
import styles from "./admin-page.module.css";
import { PasswordDialog } from "./password-dialog.tsx";

const EMPTY = { userName: "", nickName: "", password: "" };

/** The rules of a registration, except that the password may be left out. */
function validate({ userName, nickName, password }: typeof EMPTY) {
  const rest = { confirmPassword: password, inviteCode: "", headImage: null, headImageThumb: null };
  const none = { inviteCode: false, avatar: false };
  const errors = validateRegistration({ userName, nickName, password, ...rest }, none);
  return {
    ...(errors.userName !== undefined && { userName: errors.userName }),
    ...(errors.nickName !== undefined && { nickName: errors.nickName }),
    ...(password !== "" && errors.password !== undefined && { password: errors.password }),
  };
}

interface CreatePersonDialogProps {
  onCreated: () => void;
  onClose: () => void;
}

/** Registers a person. A password that the server has made is shown this once. */
export function CreatePersonDialog({ onCreated, onClose }: CreatePersonDialogProps) {
  const t = useText();
  const api = useApi();
  const form = useForm({
    initial: EMPTY,
    order: ["userName", "nickName", "password"],
    check: validate,
    failureField: (failure) =>
      failure.kind === "refused" && failure.key === "register.userNameTaken" ? "userName" : undefined,
  });
  const [password, setPassword] = useState<string | null>(null);
  // The second dialog replaces the first one, so it does not find the button that opened them.
  const [opener] = useState(() =>
    document.activeElement instanceof HTMLElement ? document.activeElement : null,
  );
  const { values, textFieldProps } = form;
  // The answer holds a password that is shown only once.
  const close = () => !form.isSending && onClose();
  const submit = async () => {
    const result = await form.send(() =>
      api(createPerson, { body: { ...values, password: values.password || null } }),
    );
    if (result?.ok !== true) return;
    onCreated();
    // A password that was typed is known already; the dialog still says that the account was created.
    setPassword(result.value.password ?? values.password);
  };
  if (password !== null)
    return (
      <PasswordDialog userName={values.userName} password={password} opener={opener} onClose={onClose} />
    );
  return (
    <Dialog isOpen onClose={close} title={t("admin.people.create")} width={440}>
      <form
        ref={form.form}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextField
          {...textFieldProps("userName")}
          label={t("login.username")}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
        />
        <TextField {...textFieldProps("nickName")} label={t("register.nickname")} autoComplete="off" />
        <PasswordField
          {...textFieldProps("password")}
          label={t("login.password")}
          autoComplete="new-password"
          hint={t("admin.people.passwordHint")}
        />
        {form.problem !== null && <FailureText className={styles.failure} text={form.problem} />}
        <div className={styles.end}>
          <Button onClick={close}>{t("app.cancel")}</Button>
          <Button type="submit" variant="primary" isBusy={form.isSending}>
            {t("admin.people.createNow")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
