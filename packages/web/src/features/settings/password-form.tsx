import { useState } from "react";
import { validatePasswordChange } from "@parley/core/model/forms/form-rules";
import { failureText } from "../../kit/failure-text.ts";
import { useText } from "../../kit/i18n.ts";
import { toasts } from "../../kit/toasts.ts";
import { useClient } from "../../kit/use-client.ts";
import { useForm } from "../../kit/use-form.ts";
import { Button } from "../../ui/button.tsx";
import { PasswordField } from "../../ui/field.tsx";
import styles from "./settings.module.css";

const EMPTY = { oldPassword: "", newPassword: "", confirmPassword: "" };
const FIELD_ORDER = ["oldPassword", "newPassword", "confirmPassword"] as const;

/** Changes the password, which signs out the other devices. */
export function PasswordForm() {
  const t = useText();
  // A new key resets the form after success, including the errors of fields that were left.
  const [formId, setFormId] = useState(0);
  return (
    <section className={styles.block} aria-label={t("settings.password")}>
      <h2 className={styles.heading}>{t("settings.password")}</h2>
      <p className={styles.note}>{t("settings.passwordHint")}</p>
      <PasswordFields key={formId} onDone={() => setFormId(formId + 1)} />
    </section>
  );
}

function PasswordFields({ onDone }: { onDone: () => void }) {
  const t = useText();
  const { session } = useClient();
  const form = useForm({ initial: EMPTY, order: FIELD_ORDER, check: validatePasswordChange });
  const { values, textFieldProps } = form;
  const [oldPasswordProblem, setOldPasswordProblem] = useState<string | null>(null);
  const submit = async () => {
    const result = await form.send(() => session.changePassword(values.oldPassword, values.newPassword));
    if (result?.ok === true) {
      toasts.success(t("settings.passwordChanged"));
      onDone();
    } else if (result !== null) {
      const { failure } = result;
      // The client's own notice has already reported other failures.
      const isOldWrong = failure.kind === "refused" && failure.key === "password.oldWrong";
      setOldPasswordProblem(isOldWrong ? failureText(failure, t) : null);
      form.focus("oldPassword");
    }
  };
  return (
    <form
      ref={form.form}
      className={styles.form}
      noValidate
      onChange={() => setOldPasswordProblem(null)}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <PasswordField
        {...textFieldProps("oldPassword")}
        {...(oldPasswordProblem !== null && { error: oldPasswordProblem })}
        label={t("settings.oldPassword")}
        autoComplete="current-password"
      />
      <PasswordField
        {...textFieldProps("newPassword")}
        label={t("settings.newPassword")}
        autoComplete="new-password"
        hint={t("register.passwordLength")}
      />
      <PasswordField
        {...textFieldProps("confirmPassword")}
        label={t("register.confirm")}
        autoComplete="new-password"
      />
      <div className={styles.end}>
        <Button variant="primary" type="submit" isBusy={form.isSending}>
          {t("settings.password")}
        </Button>
      </div>
    </form>
  );
}
