import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { validateLogin } from "@parley/core/model/forms/login-rules";
import type { LoginForm } from "@parley/core/model/forms/login-rules";
import type { SessionActions } from "@parley/core/client-api";
import { AuthScreen } from "../../kit/forms/auth-screen.tsx";
import { useCustomServer } from "../../kit/forms/custom-server.tsx";
import { useText } from "../../kit/i18n/i18n.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { useForm } from "../../kit/forms/use-form.ts";
import { AuthAlternative, AuthFailure } from "../../ui/auth-frame.tsx";
import { Button } from "../../ui/button.tsx";
import { Checkbox, FieldNote, PasswordField } from "../../ui/field.tsx";
import { Row, Stack } from "../../ui/layout.tsx";
import { AccountField } from "./account-field.tsx";
import { ServerBox } from "./server-box.tsx";
import styles from "./login-screen.module.css";

/** The login screen (spec §2). On success the session becomes active, and the routes redirect to the chats. */
export function LoginScreen() {
  const t = useText();
  const { session } = useClient();
  const [initial] = useState(() => initialForm(session));
  const form = useForm({ initial, order: ["userName", "password"], check: validateLogin });
  const [accounts, setAccounts] = useState(() => session.savedAccounts());
  const readAccounts = () => setAccounts(session.savedAccounts());
  const { values } = form;
  /** The password that was remembered for the server in use, and that no other server may get. */
  const filledPassword = useRef<string | null>(null);
  const server = useCustomServer(() => {
    readAccounts();
    if (filledPassword.current === null) return;
    if (values.password === filledPassword.current) form.change({ password: "", rememberPassword: false });
    filledPassword.current = null;
  });
  const [hasCapsLock, setCapsLock] = useState(false);

  const fillPassword = useRef(async (userName: string) => {
    const password = await session.savedPassword(userName);
    if (password === null) return;
    filledPassword.current = password;
    form.change({ password, rememberPassword: true });
  });
  const focus = useRef(form.focus);
  useEffect(() => {
    if (initial.rememberPassword) void fillPassword.current(initial.userName);
    else focus.current(initial.userName === "" ? "userName" : "password");
  }, [initial]);

  const submit = async () => {
    const isFilled = values.password === filledPassword.current;
    const result = await form.send(async () => {
      if (!(await server.applyServer())) return null;
      if (isFilled && filledPassword.current === null) {
        form.focus("password");
        return null;
      }
      return session.login({ ...values, userName: values.userName.trim() });
    });
    if (result?.ok === false) form.focus("password");
  };

  return (
    <AuthScreen title={t("login.title")} subtitle={t("login.subtitle")}>
      <Stack
        as="form"
        ref={form.form}
        gap={16}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <AccountField
          accounts={accounts}
          value={values.userName}
          error={form.errorOf("userName")}
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
          {...form.textFieldProps("password")}
          label={t("login.password")}
          autoComplete="current-password"
          hint={hasCapsLock ? t("login.capsLock") : undefined}
          onKeyUp={(event) => setCapsLock(event.getModifierState("CapsLock"))}
          onBlur={() => {
            setCapsLock(false);
            form.leave("password");
          }}
        />
        <RememberOptions values={values} onChange={form.change} />
        {form.problem !== null && <AuthFailure>{form.problem}</AuthFailure>}
        <Button type="submit" variant="primary" size="large" isWide isBusy={form.isSending}>
          {t(form.isSending ? "login.submitting" : "login.submit")}
        </Button>
        <ServerBox server={server}>
          <AuthAlternative>
            {t("login.noAccount")} <Link href="/register">{t("login.register")}</Link>
          </AuthAlternative>
        </ServerBox>
      </Stack>
    </AuthScreen>
  );
}

interface RememberOptionsProps {
  values: LoginForm;
  onChange: (part: Partial<LoginForm>) => void;
}

/** What this browser shall remember. The password is remembered only together with the user name. */
function RememberOptions({ values: { rememberName, rememberPassword }, onChange }: RememberOptionsProps) {
  const t = useText();
  const { canRememberPassword } = useClient().session;
  return (
    <div>
      <Row align="stretch" wrap className={styles.ticks}>
        <Checkbox
          name="rememberName"
          checked={rememberName}
          onChange={(isOn) => onChange({ rememberName: isOn, ...(!isOn && { rememberPassword: false }) })}
        >
          {t("login.rememberName")}
        </Checkbox>
        <Checkbox
          name="rememberPassword"
          checked={rememberPassword}
          disabled={!canRememberPassword}
          aria-describedby={canRememberPassword ? undefined : "remember-note"}
          onChange={(isOn) => onChange({ rememberPassword: isOn, ...(isOn && { rememberName: true }) })}
        >
          {t("login.rememberPassword")}
        </Checkbox>
      </Row>
      {!canRememberPassword && <FieldNote id="remember-note" hint={t("login.rememberUnavailable")} />}
    </div>
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
