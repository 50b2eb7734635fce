import { useCallback, useEffect, useRef, useState } from "react";
import { Monitor, Smartphone } from "lucide-react";
import { Terminal } from "@parley/protocol/codes";
import type { SessionVO } from "@parley/protocol/entities";
import type { Result } from "@parley/core/model/state";
import { failureText } from "../../kit/failure-text.ts";
import { useLocale, useText } from "../../kit/i18n.ts";
import { tipTime } from "../../kit/time-text.ts";
import { toasts } from "../../kit/toasts.ts";
import { useClient } from "../../kit/use-client.ts";
import { FailureText } from "../../ui/failure-text.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { ICON_PROPS } from "../../ui/icon-props.ts";
import { Spinner } from "../../ui/spinner.tsx";
import styles from "./settings.module.css";

/** The devices on which this account is signed in. One of them can be signed out, or all others at once. */
export function Devices() {
  const t = useText();
  const { session } = useClient();
  const [result, setResult] = useState<Result<readonly SessionVO[]> | null>(null);
  const loads = useRef(0);
  const load = useCallback(async () => {
    const number = ++loads.current;
    const answer = await session.sessions();
    // After two devices were signed out in quick succession, the older list may arrive last.
    if (number === loads.current) setResult(answer);
  }, [session]);
  useEffect(() => {
    void load();
  }, [load]);
  /** Ends a session; null ends all others. */
  const end = async (id: string | null) => {
    const ended = await session.endSession(id);
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
        <FailureText className={styles.failure} text={failureText(result.failure, t)}>
          {failureText(result.failure, t)}
          <Button size="small" onClick={() => void load()}>
            {t("app.retry")}
          </Button>
        </FailureText>
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
      <ul className={styles.list}>
        {sorted.map((session) => (
          <Device key={session.id} session={session} onEnd={onEnd} />
        ))}
      </ul>
      {hasOthers && (
        <div className={styles.end}>
          <Button variant="danger" size="small" onClick={() => setConfirming(true)}>
            {t("settings.signOutOthers")}
          </Button>
        </div>
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
    <li className={styles.item}>
      <span className={styles.itemIcon}>
        {session.terminal === Terminal.APP ? <Smartphone {...ICON_PROPS} /> : <Monitor {...ICON_PROPS} />}
      </span>
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
    </li>
  );
}

/** Name such as "Chrome 149 · Windows", with the device's own name if it is another one; null if nothing is known. */
function deviceName({ device, os, browser }: Pick<SessionVO, "device" | "os" | "browser">): string | null {
  const parts = [browser, os, device].filter((text) => text !== null && text !== "");
  return parts.length === 0 ? null : [...new Set(parts)].join(" · ");
}
