import { Bell, HardDrive } from "lucide-react";
import { useText } from "../kit/i18n.ts";
import { useClientState } from "../kit/use-client.ts";
import { Banner, BannerAction } from "../ui/banner.tsx";
import { ICON_PROPS_16 } from "../ui/icon-props.ts";
import { ConnectionBar } from "./connection-bar.tsx";
import { acceptNotifications, postponeNotifications, useNotificationOffer } from "./notification-offer.ts";

/** Bars below the header of a pane: the connection, refused storage, and the offer of notifications. */
export function ShellBars() {
  return (
    <>
      <ConnectionBar />
      <StorageBar />
      <NotificationBar />
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
