import { useEffect, useRef, useState } from "react";
import type { FormEvent } from "react";
import { Link } from "wouter";
import { validateLogin } from "@parley/core/model/forms/form-rules";
import type { LoginForm } from "@parley/core/model/forms/form-rules";
import type { SessionActions } from "@parley/core/client-api";
import type { Failure } from "@parley/core/model/state";
import { AuthFooter } from "../../kit/auth-footer.tsx";
import { useCustomServer } from "../../kit/custom-server.ts";
import { failureText } from "../../kit/failure-text.ts";
import { useText } from "../../kit/i18n.ts";
import { LanguagePicker } from "../../kit/language-picker.tsx";
import { useClient } from "../../kit/use-client.ts";
import { useForm } from "../../kit/use-form.ts";
import { AuthFrame } from "../../ui/auth-frame.tsx";
import { Button } from "../../ui/button.tsx";
import { Checkbox, FieldNote, PasswordField } from "../../ui/field.tsx";
import { AccountField } from "./account-field.tsx";
import { ServerBox } from "./server-box.tsx";
import styles from "./login-screen.module.css";

/** The login screen (spec §2). On success the session becomes active, and the routes redirect to the chats. */
export function LoginScreen() {
  const t = useText();
  const { session } = useClient();
  const [initial] = useState(() => initialForm(session));
  const form = useForm(initial, validateLogin);
  const [accounts, setAccounts] = useState(() => session.savedAccounts());
  // The remembered accounts depend on the server.
  const readAccounts = () => setAccounts(session.savedAccounts());
  const server = useCustomServer(readAccounts);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [hasCapsLock, setCapsLock] = useState(false);
  const { values } = form;

  const fillPassword = useRef(async (userName: string) => {
    const password = await session.savedPassword(userName);
    if (password !== null) form.change({ password, rememberPassword: true });
  });
  useEffect(() => {
    if (initial.rememberPassword) void fillPassword.current(initial.userName);
  }, [initial]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || !form.isReady(["userName", "password"])) return;
    setFailure(null);
    setBusy(true);
    if (!(await server.applyServer())) {
      setBusy(false);
      return;
    }
    const result = await session.login({ ...values, userName: values.userName.trim() });
    setBusy(false);
    if (result.ok) return;
    setFailure(result.failure);
    form.focus("password");
  };

  const textOf = (field: "userName" | "password") => {
    const error = form.errorOf(field);
    return error === undefined ? null : t(error);
  };

  return (
    <AuthFrame
      title={t("login.title")}
      subtitle={t("login.subtitle")}
      corner={<LanguagePicker />}
      footer={<AuthFooter />}
    >
      <form ref={form.form} className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
        <AccountField
          accounts={accounts}
          value={values.userName}
          error={textOf("userName")}
          onChange={(userName) => form.change({ userName })}
          onBlur={() => form.leave("userName")}
          onPick={(account) => {
            form.change({
              userName: account.userName,
              password: "",
              rememberName: true,
              rememberPassword: account.hasPassword,
            });
            if (account.hasPassword) void fillPassword.current(account.userName);
            else form.focus("password");
          }}
          onForget={({ userName }) => {
            session.forgetAccount(userName);
            readAccounts();
          }}
        />
        <PasswordField
          name="password"
          label={t("login.password")}
          autoComplete="current-password"
          value={values.password}
          error={textOf("password")}
          hint={hasCapsLock ? t("login.capsLock") : undefined}
          onChange={(event) => form.change({ password: event.currentTarget.value })}
          onKeyUp={(event) => setCapsLock(event.getModifierState("CapsLock"))}
          onBlur={() => {
            setCapsLock(false);
            form.leave("password");
          }}
        />
        <div>
          <div className={styles.ticks}>
            <Checkbox
              name="rememberName"
              checked={values.rememberName}
              onChange={(rememberName) =>
                form.change(rememberName ? { rememberName } : { rememberName, rememberPassword: false })
              }
            >
              {t("login.rememberName")}
            </Checkbox>
            <Checkbox
              name="rememberPassword"
              checked={values.rememberPassword}
              disabled={!session.canRememberPassword}
              aria-describedby={session.canRememberPassword ? undefined : "remember-note"}
              onChange={(rememberPassword) =>
                form.change(
                  rememberPassword ? { rememberPassword, rememberName: true } : { rememberPassword },
                )
              }
            >
              {t("login.rememberPassword")}
            </Checkbox>
          </div>
          {!session.canRememberPassword && (
            <FieldNote id="remember-note" hint={t("login.rememberUnavailable")} />
          )}
        </div>
        {failure !== null && (
          <p className={styles.failure} role="alert">
            {failureText(failure, t)}
          </p>
        )}
        <Button type="submit" variant="primary" size="large" isWide isBusy={isBusy}>
          {t(isBusy ? "login.submitting" : "login.submit")}
        </Button>
        <ServerBox server={server}>
          <span className={styles.other}>
            {t("login.noAccount")} <Link href="/register">{t("login.register")}</Link>
          </span>
        </ServerBox>
      </form>
    </AuthFrame>
  );
}

/** The form with the checkboxes of the last time. The user name is filled in only if it was to be remembered then. */
export function initialForm(
  session: Pick<SessionActions, "savedLoginOptions" | "savedAccounts" | "canRememberPassword">,
): LoginForm {
  const checkboxes = session.savedLoginOptions();
  const account = checkboxes.rememberName ? session.savedAccounts()[0] : undefined;
  return {
    userName: account?.userName ?? "",
    password: "",
    rememberName: checkboxes.rememberName,
    rememberPassword: session.canRememberPassword && (account?.hasPassword ?? checkboxes.rememberPassword),
  };
}
