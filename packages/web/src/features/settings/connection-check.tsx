import { useCallback, useEffect, useState } from "react";
import { desktopBridge } from "../../kit/desktop.ts";
import { useText } from "../../kit/i18n.ts";
import { toasts } from "../../kit/toasts.ts";
import { useClient } from "../../kit/use-client.ts";
import { Button } from "../../ui/button.tsx";
import { CheckLine } from "./check-line.tsx";
import { CHECK_IDS, type CheckId, type Finding, isDevice, runChecks, tryDevice } from "./checks.ts";
import styles from "./settings.module.css";

type Findings = Partial<Record<CheckId, Finding>>;

/** Checks everything that the client needs of network, server and browser, and says in words what is wrong and what to do. */
export function ConnectionCheck() {
  const t = useText();
  const client = useClient();
  const [findings, setFindings] = useState<Findings>({});
  const [isBusy, setBusy] = useState(true);
  const check = useCallback(
    () =>
      runChecks(client, (id, finding) => setFindings((others) => ({ ...others, [id]: finding }))).then(() =>
        setBusy(false),
      ),
    [client],
  );
  useEffect(() => {
    void check();
  }, [check]);
  const run = async () => {
    setBusy(true);
    setFindings({});
    await check();
  };
  const persist = async () => {
    if (!(await navigator.storage.persist())) toasts.error(t("check.storage.refused"));
    await run();
  };
  const tryAgain = async (id: CheckId) => {
    if (!isDevice(id)) return;
    setFindings(({ [id]: _, ...others }) => others);
    const finding = await tryDevice(id);
    setFindings((others) => ({ ...others, [id]: finding }));
  };
  // The desktop application needs no service worker to open without a network.
  const shown = CHECK_IDS.filter((id) => id !== "worker" || desktopBridge() === null);
  return (
    <section className={styles.block} aria-label={t("settings.connection")} aria-busy={isBusy}>
      <p className={styles.note}>{t("check.hint")}</p>
      <ul className={styles.list}>
        {shown.map((id) => (
          <CheckLine key={id} id={id} finding={findings[id]} onPersist={persist} onTry={tryAgain} />
        ))}
      </ul>
      <p className="visually-hidden" role="status">
        {isBusy ? t("check.running") : t("check.done")}
      </p>
      <div className={styles.end}>
        <Button size="small" isBusy={isBusy} onClick={() => void run()}>
          {t("check.again")}
        </Button>
      </div>
    </section>
  );
}
