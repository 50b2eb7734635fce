import { useEffect, useState } from "react";
import { Bell, CircleArrowUp, HardDrive, Megaphone, WifiOff } from "lucide-react";
import { countRecipients } from "@parley/core/model/broadcast/broadcast-run";
import type { Connection } from "@parley/core/model/state";
import { useText } from "../kit/i18n/i18n.ts";
import { openDialog, useDialogRequest } from "../kit/dialogs/open-dialog.ts";
import { useClient, useClientState } from "../kit/loading/use-client.ts";
import { Banner, BannerAction } from "../ui/banner.tsx";
import { ICON_PROPS_16 } from "../ui/icon-props.ts";
import { Spinner } from "../ui/spinner.tsx";
import { offerUpdate, useUpdateOffer } from "./app-update.ts";
import { acceptNotifications, postponeNotifications, useNotificationOffer } from "./notifications.ts";

/** Bars below the header of a pane: the connection, refused storage, the offers of notifications and of a new version. */
export function ShellBars() {
  return (
    <>
      <ConnectionBar />
      <StorageBar />
      <BroadcastBar />
      <NotificationBar />
      <UpdateBar />
    </>
  );
}

/** Says that the browser stores nothing, so that a reload loses everything. Stays visible as long as that is true. */
function StorageBar() {
  const t = useText();
  const isRefused = useClientState((state) => state.session.kind === "active" && state.storage === "memory");
  if (!isRefused) return null;
  return (
    <Banner icon={<HardDrive {...ICON_PROPS_16} />}>
      <output>{t("app.storageRefused")}</output>
    </Banner>
  );
}

/** Says that a broadcast is being sent while its dialog is closed. */
function BroadcastBar() {
  const t = useText();
  const isDialogOpen = useDialogRequest()?.kind === "broadcast";
  const run = useClientState((state) => (state.session.kind === "active" ? state.broadcast.run : null));
  if (run === null || isDialogOpen) return null;
  const { total, waiting } = countRecipients(run);
  if (waiting === 0) return null;
  return (
    <Banner
      icon={<Megaphone {...ICON_PROPS_16} />}
      tone="info"
      action={
        <BannerAction onClick={() => openDialog({ kind: "broadcast" })}>{t("broadcast.show")}</BannerAction>
      }
    >
      {t("broadcast.bar", { done: total - waiting, total })}
    </Banner>
  );
}

/** Asks whether to turn notifications on, before the browser's prompt (interface §16). */
function NotificationBar() {
  const t = useText();
  if (!useNotificationOffer()) return null;
  return (
    <Banner
      icon={<Bell {...ICON_PROPS_16} />}
      tone="info"
      action={
        <>
          <BannerAction onClick={acceptNotifications}>{t("notification.on")}</BannerAction>
          <BannerAction onClick={postponeNotifications}>{t("notification.later")}</BannerAction>
        </>
      }
    >
      <output>{t("notification.offer")}</output>
    </Banner>
  );
}

/** Offers a new version (W4). It never starts by itself while a page is open. */
function UpdateBar() {
  const t = useText();
  const accept = useUpdateOffer();
  if (accept === null) return null;
  return (
    <Banner
      icon={<CircleArrowUp {...ICON_PROPS_16} />}
      tone="info"
      action={
        <>
          <BannerAction onClick={accept}>{t("app.reload")}</BannerAction>
          <BannerAction onClick={() => offerUpdate(null)}>{t("notification.later")}</BannerAction>
        </>
      }
    >
      <output>{t("app.updateReady")}</output>
    </Banner>
  );
}

/** If the connection is established within this time, no bar is shown. */
const SHOW_AFTER_MS = 1_500;

/** Says that there is no connection and when the next attempt is, and lets the person reconnect now (interface §8). */
function ConnectionBar() {
  const t = useText();
  const { session } = useClient();
  const connection = useClientState((state) => state.connection);
  const wasOnline = useWasOnline(connection.kind);
  const isSlow = useHasLasted(connection.kind === "connecting", SHOW_AFTER_MS);
  if (connection.kind === "waiting" || connection.kind === "offline") {
    const { kind, retryAt } = connection;
    return (
      <Banner
        icon={kind === "waiting" ? <Spinner size={16} /> : <WifiOff {...ICON_PROPS_16} />}
        action={
          <BannerAction onClick={() => session.reconnectNow()}>{t("connection.retryNow")}</BannerAction>
        }
      >
        <output>
          {t(
            kind === "offline"
              ? "connection.offline"
              : wasOnline
                ? "connection.reconnecting"
                : "connection.unreachable",
          )}
        </output>
        {retryAt !== null && <Countdown until={retryAt} />}
      </Banner>
    );
  }
  if (!isSlow) return null;
  return (
    <Banner icon={<Spinner size={16} />}>
      <output>{t("connection.connecting")}</output>
    </Banner>
  );
}

/** Whether the client was online until now. After a failed connection attempt the server counts as unreachable. */
function useWasOnline(kind: Connection["kind"]): boolean {
  const [last, setLast] = useState({ kind, wasOnline: kind === "online" });
  if (last.kind === kind) return last.wasOnline;
  const wasOnline = kind === "online" || (last.wasOnline && kind !== "connecting");
  setLast({ kind, wasOnline });
  return wasOnline;
}

/** Outside of the live region, so that screen readers do not announce every second. */
function Countdown({ until }: { until: number }) {
  const t = useText();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [until]);
  const seconds = Math.max(0, Math.ceil((until - now) / 1_000));
  return <> · {t("connection.retryIn", { seconds })}</>;
}

/** Whether a condition has been true for this long. */
function useHasLasted(condition: boolean, ms: number): boolean {
  const [hasLasted, setHasLasted] = useState(false);
  useEffect(() => {
    if (!condition) return;
    const timer = setTimeout(() => setHasLasted(true), ms);
    return () => {
      clearTimeout(timer);
      setHasLasted(false);
    };
  }, [condition, ms]);
  return condition && hasLasted;
}
