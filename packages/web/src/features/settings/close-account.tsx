import { useRef, useState } from "react";
import { failureText } from "../../kit/i18n/failure-text.ts";
import { useText } from "../../kit/i18n/i18n.ts";
import { myIdOf } from "../../kit/people/person.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { forgetUserSettings } from "../../kit/settings/user-settings.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { PasswordField } from "../../ui/field.tsx";
import { Text } from "../../ui/layout.tsx";
import styles from "./settings.module.css";

/** Says what is lost with the account, asks for the password, and closes the account. The end of the session is reported as in spec §8. */
export function CloseAccount({ onClose }: { onClose: () => void }) {
  const t = useText();
  const client = useClient();
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const close = async () => {
    if (isBusy) return;
    if (password === "") {
      setProblem(t("login.passwordRequired"));
      field.current?.focus();
      return;
    }
    setBusy(true);
    const userId = myIdOf(client.getState());
    const result = await client.account.unregister(password);
    if (result.ok) {
      onClose();
      forgetUserSettings(userId);
      return;
    }
    setBusy(false);
    setProblem(failureText(result.failure, t));
    field.current?.focus();
  };
  return (
    <Dialog
      isOpen
      title={t("closeAccount.title")}
      width={440}
      onClose={onClose}
      onSubmit={() => void close()}
      footer={
        <>
          <Button onClick={onClose}>{t("app.cancel")}</Button>
          <Button type="submit" variant="dangerFill" isBusy={isBusy}>
            {t("closeAccount.confirm")}
          </Button>
        </>
      }
    >
      <p>{t("closeAccount.body")}</p>
      <Text as="ul" marginTop={8} marginBottom={16} tone="secondary" className={styles.losses}>
        <li>{t("closeAccount.lossChats")}</li>
        <li>{t("closeAccount.lossPeople")}</li>
        <li>{t("closeAccount.lossGroups")}</li>
        <li>{t("closeAccount.lossName")}</li>
      </Text>
      <PasswordField
        ref={field}
        name="password"
        label={t("login.password")}
        autoComplete="current-password"
        value={password}
        error={problem}
        onChange={(event) => {
          setPassword(event.currentTarget.value);
          setProblem(null);
        }}
      />
    </Dialog>
  );
}
