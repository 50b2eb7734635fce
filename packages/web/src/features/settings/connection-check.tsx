import { useCallback, useEffect, useState } from "react";
import { CircleCheck, CircleX, Info, TriangleAlert } from "lucide-react";
import { desktopBridge } from "../../kit/settings/desktop.ts";
import { useLocale, useText } from "../../kit/i18n/i18n.ts";
import type { Locale } from "../../kit/i18n/locale.ts";
import { toasts } from "../../kit/dialogs/toasts.ts";
import { useClient } from "../../kit/loading/use-client.ts";
import { Button } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import { Row, Stack, Text } from "../../ui/layout.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import {
  CHECK_IDS,
  type CheckId,
  type Finding,
  isDevice,
  type Level,
  runChecks,
  tryDevice,
} from "./checks.ts";
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
      <Stack as="ul">
        {shown.map((id) => (
          <CheckLine key={id} id={id} finding={findings[id]} onPersist={persist} onTry={tryAgain} />
        ))}
      </Stack>
      <p className="visually-hidden" role="status">
        {isBusy ? t("check.running") : t("check.done")}
      </p>
      <Row align="stretch" justify="end" marginTop={8}>
        <Button size="small" isBusy={isBusy} onClick={() => void run()}>
          {t("check.again")}
        </Button>
      </Row>
    </section>
  );
}

interface CheckLineProps {
  id: CheckId;
  /** Undefined: the check has not ended. */
  finding: Finding | undefined;
  onPersist: () => Promise<void>;
  onTry: (id: CheckId) => Promise<void>;
}

/** A line of the self-check: what is checked, what was found, and what the person can do about it. */
export function CheckLine({ id, finding, onPersist, onTry }: CheckLineProps) {
  const t = useText();
  const locale = useLocale();
  const params = {
    ...finding?.params,
    ...(finding?.clockMs !== undefined && { time: durationText(Math.abs(finding.clockMs), locale) }),
  };
  return (
    <Row as="li" wrap paddingY={8} className={styles.item}>
      <Text shrink={false} tone="secondary">
        {finding === undefined ? <Spinner size={20} /> : <LevelIcon level={finding.level} />}
      </Text>
      <div className={styles.itemWords}>
        <div>{t(`check.${id}`)}</div>
        {finding !== undefined && (
          <>
            <div className={styles.finding}>{t(finding.text, params)}</div>
            {finding.advice !== undefined && <div className={styles.hint}>{t(finding.advice)}</div>}
          </>
        )}
      </div>
      {finding?.canPersist === true && (
        <Button size="small" onClick={() => void onPersist()}>
          {t("check.storage.keep")}
        </Button>
      )}
      {finding?.canTry === true && (
        <Button
          size="small"
          aria-label={`${t("check.device.try")}: ${t(`check.${id}`)}`}
          onClick={() => void onTry(id)}
        >
          {t("check.device.try")}
        </Button>
      )}
    </Row>
  );
}

const ICONS = { ok: CircleCheck, info: Info, warn: TriangleAlert, bad: CircleX } as const;

function LevelIcon({ level }: { level: Level }) {
  const Icon = ICONS[level];
  return <Icon {...ICON_PROPS} className={classNames(styles.level, styles[level])} data-level={level} />;
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

/** A length of time in its largest unit of which it has at least two, such as "3 minutes". */
function durationText(ms: number, locale: Locale): string {
  const [unit, unitMs] = UNITS.find(([, length]) => ms >= 2 * length) ?? UNITS[3];
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(
    Math.round(ms / unitMs),
  );
}
