import { useEffect, useState } from "react";
import type { FormEvent, KeyboardEvent } from "react";
import { Link, useLocation } from "wouter";
import { validateRegistration } from "@parley/core/model/forms/form-rules";
import type { RegisterForm } from "@parley/core/model/forms/form-rules";
import type { Failure } from "@parley/core/model/state";
import { AuthFooter } from "../../kit/auth-footer.tsx";
import { useCustomServer } from "../../kit/custom-server.ts";
import { failureText } from "../../kit/failure-text.ts";
import { useText } from "../../kit/i18n.ts";
import { LanguagePicker } from "../../kit/language-picker.tsx";
import { toasts } from "../../kit/toasts.ts";
import { useClient, useClientState } from "../../kit/use-client.ts";
import { useForm } from "../../kit/use-form.ts";
import { AuthFrame } from "../../ui/auth-frame.tsx";
import { Button } from "../../ui/button.tsx";
import { Checkbox, PasswordField, TextField } from "../../ui/field.tsx";
import { ServerIcon } from "../../ui/icons.tsx";
import { AvatarField } from "./avatar-field.tsx";
import { requirementsOf, revealsNewRequirement, failureField } from "./failure-field.ts";
import { useImeGuard } from "../../ui/ime.ts";
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
  const client = useClient();
  const { session } = client;
  const [, navigate] = useLocation();
  const requirements = requirementsOf(useClientState((state) => state.display));
  const form = useForm<RegisterForm>(EMPTY, (values) => validateRegistration(values, requirements));
  const [step, setStep] = useState<"open" | "sending" | "done">("open");
  const [failure, setFailure] = useState<Failure | null>(null);
  const server = useCustomServer(() => void session.loadDisplaySettings());
  const { values } = form;
  const ime = useImeGuard();

  useEffect(() => {
    void session.loadDisplaySettings();
  }, [session]);

  useEffect(() => {
    if (step !== "done") return;
    const timer = setTimeout(() => navigate("/home/chat", { replace: true }), REDIRECT_AFTER_LOGIN_MS);
    return () => clearTimeout(timer);
  }, [step, navigate]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (step !== "open" || !form.isReady(FIELD_ORDER)) return;
    setFailure(null);
    setStep("sending");
    const result = (await server.applyServer()) ? await session.register(values) : null;
    if (result === null) {
      setStep("open");
    } else if (!result.ok) {
      setStep("open");
      setFailure(result.failure);
      toasts.failure(result.failure);
      // The display settings were not loaded, or they have changed since.
      if (revealsNewRequirement(result.failure, requirements)) await session.loadDisplaySettings();
      const field = failureField(result.failure, requirementsOf(client.getState().display));
      if (field !== undefined) form.focus(field);
    } else if (result.value.loggedIn) {
      toasts.success(t("register.done"));
      setStep("done");
    } else {
      toasts.error(t("register.loginFailed"));
      navigate("/login", { replace: true });
    }
  };

  // An Enter with which the input method accepts a word must not submit the form.
  const imeProps = {
    ...ime.handlers,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === "Enter" && ime.isComposing(event)) event.preventDefault();
    },
  };
  const failedField = failure === null ? undefined : failureField(failure, requirements);
  const textOf = (field: (typeof FIELD_ORDER)[number]): string | null => {
    const error = form.errorOf(field);
    if (error !== undefined) return t(error);
    return failure !== null && failedField === field ? failureText(failure, t) : null;
  };
  /** Props that all text fields of this form have in common. */
  const textFieldProps = (name: "userName" | "nickName" | "password" | "confirmPassword" | "inviteCode") => ({
    name,
    value: values[name],
    error: textOf(name),
    onChange: (event: { currentTarget: { value: string } }) => {
      form.change({ [name]: event.currentTarget.value });
      if (failedField === name) setFailure(null);
    },
    onBlur: () => form.leave(name),
    ...imeProps,
  });

  return (
    <AuthFrame
      title={t("register.title")}
      subtitle={t("register.subtitle")}
      corner={<LanguagePicker />}
      footer={<AuthFooter />}
      isWide
    >
      <form ref={form.form} noValidate onSubmit={(event) => void submit(event)}>
        <div className={styles.columns}>
          <AvatarField
            name={values.nickName || values.userName}
            thumb={values.headImageThumb}
            error={textOf("headImage")}
            onChange={(image) => {
              form.change({ headImage: image.originUrl, headImageThumb: image.thumbUrl });
              form.leave("headImage");
            }}
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
              <Checkbox checked={server.isOpen} onChange={server.toggle}>
                {t("server.custom")}
              </Checkbox>
              {server.isOpen && (
                <TextField
                  name="server"
                  label={t("server.address")}
                  isLabelHidden
                  type="url"
                  inputMode="url"
                  autoComplete="url"
                  spellCheck={false}
                  placeholder="https://"
                  start={<ServerIcon />}
                  value={server.address}
                  error={server.error}
                  hint={server.hint}
                  onChange={(event) => server.change(event.currentTarget.value)}
                  onBlur={() => void server.applyServer()}
                  {...imeProps}
                />
              )}
            </div>
          </div>
        </div>
        {failure !== null && failedField === undefined && (
          <p className={styles.failure}>{failureText(failure, t)}</p>
        )}
        <div className={styles.end}>
          <span className={styles.other}>
            {t("register.haveAccount")} <Link href="/login">{t("register.back")}</Link>
          </span>
          <Button
            type="submit"
            variant="primary"
            size="large"
            className={styles.submit}
            isBusy={step !== "open"}
          >
            {t(step === "done" ? "register.done" : "register.submit")}
          </Button>
        </div>
      </form>
    </AuthFrame>
  );
}
