import { useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { validateRegistration } from "@parley/core/model/forms/form-rules";
import type { RegisterForm } from "@parley/core/model/forms/form-rules";
import { AuthScreen } from "../../kit/forms/auth-screen.tsx";
import { useAvatarUpload } from "../../kit/forms/avatar-upload.tsx";
import { ServerAddressField, useCustomServer } from "../../kit/forms/custom-server.tsx";
import { useText } from "../../kit/i18n/i18n.ts";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { useClient, useClientState } from "../../kit/loading/use-client.ts";
import { useForm } from "../../kit/forms/use-form.ts";
import { AuthAlternative, AuthFailure } from "../../ui/auth-frame.tsx";
import { Button } from "../../ui/button.tsx";
import { Checkbox, PasswordField, TextField } from "../../ui/field.tsx";
import { ServerIcon } from "../../ui/icons.tsx";
import { Row } from "../../ui/layout.tsx";
import { AvatarField } from "./avatar-field.tsx";
import { requirementsOf, revealsNewRequirement, failureField } from "./failure-field.ts";
import styles from "./register-screen.module.css";

/** Spec §9. */
const REDIRECT_AFTER_LOGIN_MS = 1_000;

const EMPTY: RegisterForm = {
  userName: "",
  nickName: "",
  password: "",
  confirmPassword: "",
  inviteCode: "",
  headImage: null,
  headImageThumb: null,
};

const FIELD_ORDER = [
  "userName",
  "nickName",
  "password",
  "confirmPassword",
  "inviteCode",
  "headImage",
] as const;

/** The registration screen (spec §2). On success the person is logged in, and after 1 s the chats open. */
export function RegisterScreen() {
  const t = useText();
  const { form, upload, server, requirements, isDone, submit } = useRegistration();
  const { values, textFieldProps } = form;
  return (
    <AuthScreen title={t("register.title")} subtitle={t("register.subtitle")} isWide>
      <form
        ref={form.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div className={styles.columns}>
          <AvatarField
            name={values.nickName || values.userName}
            thumb={values.headImageThumb}
            error={form.errorOf("headImage")}
            upload={upload}
          />
          <div className={styles.fields}>
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
            />
            <PasswordField
              {...textFieldProps("confirmPassword")}
              label={t("register.confirm")}
              autoComplete="new-password"
            />
            {requirements.inviteCode && (
              <TextField
                {...textFieldProps("inviteCode")}
                className={styles.whole}
                label={t("register.inviteCode")}
                labelEnd={t("register.inviteCodeHint")}
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
              />
            )}
            <div className={styles.whole}>
              <Checkbox checked={server.isOpen} disabled={server.isRequired} onChange={server.toggle}>
                {server.name}
              </Checkbox>
              {server.isOpen && <ServerAddressField server={server} start={<ServerIcon />} />}
            </div>
          </div>
        </div>
        {form.problem !== null && <AuthFailure className={styles.failure}>{form.problem}</AuthFailure>}
        <Row justify="between" gap={16} wrap size={13} className={styles.end}>
          <AuthAlternative>
            {t("register.haveAccount")} <Link href="/login">{t("register.back")}</Link>
          </AuthAlternative>
          <Button
            type="submit"
            variant="primary"
            size="large"
            className={styles.submit}
            isBusy={form.isSending || upload.isBusy || isDone}
          >
            {t(isDone ? "register.done" : "register.submit")}
          </Button>
        </Row>
      </form>
    </AuthScreen>
  );
}

/** The form of the registration, and what its submission leads to. */
function useRegistration() {
  const t = useText();
  const client = useClient();
  const { session } = client;
  const [, navigate] = useLocation();
  const requirements = requirementsOf(useClientState((state) => state.display));
  const form = useForm<RegisterForm>({
    initial: EMPTY,
    order: FIELD_ORDER,
    check: (values) => validateRegistration(values, requirements),
    failureField: (failure) => failureField(failure, requirements),
  });
  const [isDone, setDone] = useState(false);
  const upload = useAvatarUpload({
    shape: "circle",
    onUploaded({ originUrl, thumbUrl }) {
      form.change({ headImage: originUrl, headImageThumb: thumbUrl });
      form.leave("headImage");
    },
    onFailure: toasts.failure,
  });
  const server = useCustomServer(() => {
    // Another server does not take the addresses of pictures that this one has given.
    upload.forget();
    form.change({ headImage: null, headImageThumb: null });
    void session.loadDisplaySettings();
  });

  useEffect(() => {
    void session.loadDisplaySettings();
  }, [session]);

  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => navigate("/home/chat", { replace: true }), REDIRECT_AFTER_LOGIN_MS);
    return () => clearTimeout(timer);
  }, [isDone, navigate]);

  const submit = async () => {
    if (isDone) return;
    const result = await form.send(async () => {
      const previous = session.customServer();
      if (!(await server.applyServer())) return null;
      if (form.values.headImage !== null && session.customServer() !== previous) {
        // The avatar has to be chosen again.
        form.focus("headImage");
        return null;
      }
      return session.register(form.values);
    });
    if (result === null) return;
    if (!result.ok) {
      toasts.failure(result.failure);
      // The display settings were not loaded, or they have changed since.
      if (revealsNewRequirement(result.failure, requirements)) await session.loadDisplaySettings();
      const field = failureField(result.failure, requirementsOf(client.getState().display));
      if (field !== undefined) form.focus(field);
    } else if (result.value.loggedIn) {
      toasts.success(t("register.done"));
      setDone(true);
    } else {
      toasts.error(t("register.loginFailed"));
      navigate("/login", { replace: true });
    }
  };

  return { form, upload, server, requirements, isDone, submit };
}
