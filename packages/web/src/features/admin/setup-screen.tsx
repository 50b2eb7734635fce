import { useLayoutEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { validateRegistration, type RegisterForm } from "@parley/core/model/forms/form-rules";
import { Terminal } from "@parley/protocol/codes";
import { setUpAdmin } from "@parley/protocol/endpoints/admin-people";
import { AuthScreen } from "../../kit/forms/auth-screen.tsx";
import { useText } from "../../kit/i18n/i18n.ts";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { useApi, useClient } from "../../kit/loading/use-client.ts";
import { useForm } from "../../kit/forms/use-form.ts";
import { AuthAlternative, AuthFailure } from "../../ui/auth-frame.tsx";
import { Button } from "../../ui/button.tsx";
import { PasswordField, TextField } from "../../ui/field.tsx";
import { Stack } from "../../ui/layout.tsx";

const EMPTY: RegisterForm = {
  userName: "",
  nickName: "",
  password: "",
  confirmPassword: "",
  inviteCode: "",
  headImage: null,
  headImageThumb: null,
};

const NO_REQUIREMENTS = { inviteCode: false, avatar: false };

/**
 * Makes the first administrator with the token of the one-time link. The token stands in the fragment, which no server sees; it is taken out
 * of the address bar and of the history at once.
 */
export function SetupScreen() {
  const t = useText();
  const [token, setToken] = useState(() => location.hash.slice(1));
  useLayoutEffect(() => {
    const takeToken = () => {
      if (location.hash === "") return;
      setToken(location.hash.slice(1));
      history.replaceState(history.state, "", location.pathname);
    };
    takeToken();
    // The whole link was opened in this tab after the page.
    addEventListener("hashchange", takeToken);
    return () => removeEventListener("hashchange", takeToken);
  }, []);
  return (
    <AuthScreen title={t("admin.setup.title")} subtitle={t("admin.setup.subtitle")}>
      {token === "" ? (
        <Stack gap={16}>
          <p>{t("admin.setup.noToken")}</p>
          <AuthAlternative>
            <Link href="/login">{t("admin.setup.toLogin")}</Link>
          </AuthAlternative>
        </Stack>
      ) : (
        <SetupForm token={token} />
      )}
    </AuthScreen>
  );
}

function SetupForm({ token }: { token: string }) {
  const t = useText();
  const api = useApi();
  const { session } = useClient();
  const [, navigate] = useLocation();
  const form = useForm<RegisterForm>({
    initial: EMPTY,
    order: ["userName", "nickName", "password", "confirmPassword"],
    check: (values) => validateRegistration(values, NO_REQUIREMENTS),
    failureField: (failure) =>
      failure.kind === "refused" && failure.key === "register.userNameTaken" ? "userName" : undefined,
  });
  const { values, textFieldProps } = form;
  const submit = async () => {
    const { userName, password } = values;
    const nickName = values.nickName.trim();
    const body = { terminal: Terminal.WEB, token, userName, nickName, password };
    const result = await form.send(() => api(setUpAdmin, { body }));
    if (result?.ok !== true) return;
    const login = { userName, password, rememberName: true, rememberPassword: false };
    const signedIn = await session.login(login, result.value);
    // The account is there in any case.
    if (!signedIn.ok) toasts.failure(signedIn.failure);
    navigate(signedIn.ok ? "/admin" : "/login", { replace: true });
  };
  return (
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
      <TextField
        {...textFieldProps("userName")}
        label={t("login.username")}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <TextField
        {...textFieldProps("nickName")}
        label={t("register.nickname")}
        autoComplete="nickname"
        hint={t("register.nicknameHint")}
      />
      <PasswordField
        {...textFieldProps("password")}
        label={t("login.password")}
        autoComplete="new-password"
        hint={t("register.passwordLength")}
      />
      <PasswordField
        {...textFieldProps("confirmPassword")}
        label={t("register.confirm")}
        autoComplete="new-password"
      />
      {form.problem !== null && <AuthFailure>{form.problem}</AuthFailure>}
      <Button type="submit" variant="primary" size="large" isWide isBusy={form.isSending}>
        {t("admin.setup.submit")}
      </Button>
    </Stack>
  );
}
