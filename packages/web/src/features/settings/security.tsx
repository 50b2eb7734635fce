import { useCallback, useEffect, useRef, useState } from "react";
import { Monitor, Smartphone } from "lucide-react";
import { validatePasswordChange } from "@parley/core/model/forms/form-rules";
import type { Result } from "@parley/core/model/state";
import { Terminal } from "@parley/protocol/codes";
import { exportData } from "@parley/protocol/endpoints/export";
import type { SessionVO } from "@parley/protocol/entities";
import { failureText } from "../../kit/i18n/failure-text.ts";
import { useLocale, useText } from "../../kit/i18n/i18n.ts";
import { openDialog } from "../../kit/dialogs/open-dialog.ts";
import { startDownload } from "../../kit/forms/downloads.ts";
import { tipTime } from "../../kit/i18n/time-text.ts";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { useForm } from "../../kit/forms/use-form.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { FailureText } from "../../ui/failure-text.tsx";
import { PasswordField } from "../../ui/field.tsx";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import { Row, Stack, Text } from "../../ui/layout.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { SettingRow } from "./setting-row.tsx";
import styles from "./settings.module.css";

/** Security settings: devices, password, the person's own data, and the end of the account. */
export function Security() {
  const t = useText();
  return (
    <>
      <Devices />
      <PasswordForm />
      <ExportData />
      <SettingRow label={t("closeAccount.title")} hint={t("closeAccount.hint")}>
        {() => (
          <Button variant="danger" size="small" onClick={() => openDialog({ kind: "closeAccount" })}>
            {t("closeAccount.open")}
          </Button>
        )}
      </SettingRow>
    </>
  );
}

/** The devices on which this account is signed in. One of them can be signed out, or all others at once. */
function Devices() {
  const t = useText();
  const client = useClient();
  const [result, setResult] = useState<Result<readonly SessionVO[]> | null>(null);
  const loads = useRef(0);
  const load = useCallback(async () => {
    const number = ++loads.current;
    const answer = await client.account.sessions();
    // After two devices were signed out in quick succession, the older list may arrive last.
    if (number === loads.current) setResult(answer);
  }, [client]);
  useEffect(() => {
    void load();
  }, [load]);
  /** Ends a session; null ends all others. */
  const end = async (id: string | null) => {
    const ended = await client.account.endSession(id);
    if (ended.ok) toasts.success(t("settings.signedOut"));
    await load();
  };
  return (
    <section className={styles.block} aria-label={t("settings.devices")}>
      <h2 className={styles.heading}>{t("settings.devices")}</h2>
      {result === null ? (
        <p role="status">
          <Spinner size={20} />
          <span className="visually-hidden">{t("app.loading")}</span>
        </p>
      ) : result.ok ? (
        <DeviceList sessions={result.value} onEnd={end} />
      ) : (
        <Row as={FailureText} wrap gap={8} size={13} tone="danger" text={failureText(result.failure, t)}>
          {failureText(result.failure, t)}
          <Button size="small" onClick={() => void load()}>
            {t("app.retry")}
          </Button>
        </Row>
      )}
    </section>
  );
}

function DeviceList({
  sessions,
  onEnd,
}: {
  sessions: readonly SessionVO[];
  onEnd: (id: string | null) => Promise<void>;
}) {
  const t = useText();
  const [isConfirming, setConfirming] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const hasOthers = sessions.some((session) => !session.current);
  // This device first, then by the last use.
  const sorted = sessions.toSorted(
    (a, b) => Number(b.current) - Number(a.current) || b.lastSeen - a.lastSeen,
  );
  const endOthers = async () => {
    setBusy(true);
    await onEnd(null);
    setBusy(false);
    setConfirming(false);
  };
  return (
    <>
      <Stack as="ul">
        {sorted.map((session) => (
          <Device key={session.id} session={session} onEnd={onEnd} />
        ))}
      </Stack>
      {hasOthers && (
        <Row align="stretch" justify="end" marginTop={8}>
          <Button variant="danger" size="small" onClick={() => setConfirming(true)}>
            {t("settings.signOutOthers")}
          </Button>
        </Row>
      )}
      <ConfirmDialog
        isOpen={isConfirming}
        title={t("settings.signOutOthersTitle")}
        body={t("settings.signOutOthersBody")}
        confirmLabel={t("settings.signOut")}
        cancelLabel={t("app.cancel")}
        isDanger
        isBusy={isBusy}
        onConfirm={() => void endOthers()}
        onCancel={() => setConfirming(false)}
      />
    </>
  );
}

function Device({ session, onEnd }: { session: SessionVO; onEnd: (id: string) => Promise<void> }) {
  const t = useText();
  const locale = useLocale();
  const [isBusy, setBusy] = useState(false);
  const name = deviceName(session) ?? t("settings.deviceUnknown");
  const end = async () => {
    setBusy(true);
    await onEnd(session.id);
    setBusy(false);
  };
  return (
    <Row as="li" wrap paddingY={8} className={styles.item}>
      <Text shrink={false} tone="secondary">
        {session.terminal === Terminal.APP ? <Smartphone {...ICON_PROPS} /> : <Monitor {...ICON_PROPS} />}
      </Text>
      <div className={styles.itemWords}>
        <div>
          <bdi className={styles.itemName}>{name}</bdi>
          {session.current && <span className={styles.chip}>{t("settings.deviceThis")}</span>}
        </div>
        <div className={styles.hint}>
          {t("settings.lastSeen", { time: tipTime(session.lastSeen, Date.now(), locale, t) })}
          {session.address != null && (
            <>
              {" · "}
              <bdi>{session.address}</bdi>
            </>
          )}
        </div>
      </div>
      {!session.current && (
        <Button
          size="small"
          isBusy={isBusy}
          aria-label={t("settings.signOutDevice", { name })}
          onClick={() => void end()}
        >
          {t("settings.signOut")}
        </Button>
      )}
    </Row>
  );
}

/** Name such as "Chrome 149 · Windows", with the device's own name if it is another one; null if nothing is known. */
function deviceName({ device, os, browser }: Pick<SessionVO, "device" | "os" | "browser">): string | null {
  const parts = [browser, os, device].filter((text) => text !== null && text !== "");
  return parts.length === 0 ? null : [...new Set(parts)].join(" · ");
}

const EMPTY = { oldPassword: "", newPassword: "", confirmPassword: "" };
const FIELD_ORDER = ["oldPassword", "newPassword", "confirmPassword"] as const;

/** Changes the password, which signs out the other devices. */
function PasswordForm() {
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
    <Stack
      as="form"
      ref={form.form}
      gap={12}
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
      <Row align="stretch" justify="end" marginTop={8}>
        <Button variant="primary" type="submit" isBusy={form.isSending}>
          {t("settings.password")}
        </Button>
      </Row>
    </Stack>
  );
}

const FILE_NAME = "parley-export.zip";

/** Downloads an archive of the person's own data. */
function ExportData() {
  const t = useText();
  const client = useClient();
  const [isBusy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    const link = await client.api.call(exportData, {}, { silent: true });
    setBusy(false);
    if (!link.ok) {
      toasts.error(failureText(link.failure, t));
      return;
    }
    startDownload(client.fileUrl(link.value.url), FILE_NAME);
    toasts.success(t("exportData.started"));
  };
  return (
    <SettingRow label={t("exportData.title")} hint={t("exportData.hint")}>
      {({ labelId, hintId }) => (
        <Button
          size="small"
          isBusy={isBusy}
          aria-describedby={`${labelId} ${hintId ?? ""}`}
          onClick={() => void download()}
        >
          {t("exportData.download")}
        </Button>
      )}
    </SettingRow>
  );
}
