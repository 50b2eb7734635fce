import { useState } from "react";
import { validatePasswordChange } from "@parley/core/model/forms/form-rules";
import type { Failure } from "@parley/core/model/state";
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
  const form = useForm(EMPTY, validatePasswordChange);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const isOldWrong = failure?.kind === "refused" && failure.key === "password.oldWrong";
  const change = (part: Partial<typeof EMPTY>) => {
    setFailure(null);
    form.change(part);
  };
  const submit = async () => {
    if (isBusy || !form.isReady(FIELD_ORDER)) return;
    setBusy(true);
    const result = await session.changePassword(form.values.oldPassword, form.values.newPassword);
    setBusy(false);
    if (result.ok) {
      toasts.success(t("settings.passwordChanged"));
      onDone();
    } else {
      // The client's own notice has already reported network failures.
      setFailure(result.failure);
      form.focus("oldPassword");
    }
  };
  const errorOf = (field: (typeof FIELD_ORDER)[number]) => {
    const key = form.errorOf(field);
    return key === undefined ? undefined : t(key);
  };
  return (
    <form
      ref={form.form}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <PasswordField
        name="oldPassword"
        label={t("settings.oldPassword")}
        autoComplete="current-password"
        value={form.values.oldPassword}
        error={isOldWrong ? failureText(failure, t) : errorOf("oldPassword")}
        onChange={(event) => change({ oldPassword: event.currentTarget.value })}
        onBlur={() => form.leave("oldPassword")}
      />
      <PasswordField
        name="newPassword"
        label={t("settings.newPassword")}
        autoComplete="new-password"
        hint={t("register.passwordLength")}
        value={form.values.newPassword}
        error={errorOf("newPassword")}
        onChange={(event) => change({ newPassword: event.currentTarget.value })}
        onBlur={() => form.leave("newPassword")}
      />
      <PasswordField
        name="confirmPassword"
        label={t("register.confirm")}
        autoComplete="new-password"
        value={form.values.confirmPassword}
        error={errorOf("confirmPassword")}
        onChange={(event) => change({ confirmPassword: event.currentTarget.value })}
        onBlur={() => form.leave("confirmPassword")}
      />
      <div className={styles.end}>
        <Button variant="primary" type="submit" isBusy={isBusy}>
          {t("settings.password")}
        </Button>
      </div>
    </form>
  );
}
