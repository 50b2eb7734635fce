import { Bell, CircleArrowUp, HardDrive, Megaphone } from "lucide-react";
import { countRecipients } from "@parley/core/model/broadcast/broadcast-run";
import { useText } from "../kit/i18n.ts";
import { openDialog, useDialogRequest } from "../kit/open-dialog.ts";
import { useClientState } from "../kit/use-client.ts";
import { Banner, BannerAction } from "../ui/banner.tsx";
import { ICON_PROPS_16 } from "../ui/icon-props.ts";
import { offerUpdate, useUpdateOffer } from "./app-update.ts";
import { ConnectionBar } from "./connection-bar.tsx";
import { acceptNotifications, postponeNotifications, useNotificationOffer } from "./notification-offer.ts";

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
