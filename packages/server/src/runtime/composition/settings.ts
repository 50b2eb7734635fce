/** What the configuration and the settings of administrators mean for the parts of a server. */
import type { JoinMode } from "@parley/protocol/codes";
import type { SystemConfig } from "@parley/protocol/entities";
import { IMAGE_MAX_BYTES } from "@parley/protocol/limits";
import { loadVapidKeys } from "../../adapters/web-push/vapid-keys.ts";
import { createWebPushSender } from "../../adapters/web-push/web-push-sender.ts";
import type { OpenedStore } from "../../adapters/store/open-store.ts";
import { type Config, ConfigError } from "../../config/config.ts";
import type { LiveSettings, SettingValues } from "../../modules/administration/live-settings.ts";
import type { NodeSettings } from "../node.ts";
import type { WebPushSender } from "../../ports/web-push.ts";

export const MEBIBYTE = 1_048_576;
/** The contact for push services if the operator names nobody. Some of them, such as that of Apple, refuse it. */
const NO_SUBJECT = "mailto:operator@parley.invalid";

/** Null if web push is off. */
export async function webPushSenderOf(config: Config, store: OpenedStore): Promise<WebPushSender | null> {
  if (config.WEB_PUSH === "off") return null;
  return createWebPushSender({
    keys: await loadVapidKeys(store),
    subject: config.VAPID_SUBJECT ?? httpsUrlOf(config) ?? NO_SUBJECT,
    isPrivateAllowed: config.WEB_PUSH === "private",
  });
}

function httpsUrlOf({ PUBLIC_URL }: Config): string | undefined {
  return PUBLIC_URL?.startsWith("https:") === true ? PUBLIC_URL : undefined;
}

/** Whether people reach the server by https. */
export function isHttpsOf({ TLS_CERT, TLS_KEY, PUBLIC_URL }: Config): boolean {
  return (TLS_CERT !== undefined && TLS_KEY !== undefined) || (PUBLIC_URL?.startsWith("https:") ?? false);
}

/** What holds as long as administrators have set nothing else. */
export function fallbackSettingsOf(config: Config): SettingValues {
  return {
    isRegistrationOpen: config.OPEN_REGISTRATION,
    isInviteCodeRequired: config.INVITE_CODE_REQUIRED,
    isAvatarRequired: config.AVATAR_REQUIRED,
    newGroupJoinMode: config.NEW_GROUP_JOIN,
    recallSeconds: config.RECALL_SECONDS,
    editSeconds: config.EDIT_SECONDS,
    uploadMaxMb: config.UPLOAD_MAX_MB,
    uploadDailyMb: config.UPLOAD_DAILY_MB,
  };
}

/** The settings of a node. Throws if some of them do not fit together. */
export function settingsOf(
  config: Config,
  webPush: WebPushSender | null,
  { current }: Pick<LiveSettings, "current">,
): NodeSettings {
  return {
    defaultLanguage: config.DEFAULT_LANGUAGE,
    isHttps: isHttpsOf(config),
    registration() {
      const { isRegistrationOpen: isOpen, isInviteCodeRequired, isAvatarRequired } = current();
      return { isOpen, isInviteCodeRequired, isAvatarRequired };
    },
    isMoneyAllowed: config.MONEY_CARDS,
    newGroupJoinMode: () => current().newGroupJoinMode as JoinMode,
    systemConfig: () => systemConfigOf(config, webPush, current()),
    ice: iceOf(config),
  };
}

function iceOf({ ICE_URLS: urls, TURN_SECRET: secret }: Config): NodeSettings["ice"] {
  if (secret === undefined && urls.some((url) => url.startsWith("turn")))
    throw new ConfigError("TURN_SECRET must be set, because ICE_URLS names a TURN server");
  return { urls, secret: secret ?? "" };
}

function systemConfigOf(
  config: Config,
  webPush: WebPushSender | null,
  { newGroupJoinMode, uploadMaxMb, recallSeconds, editSeconds }: SettingValues,
): SystemConfig {
  const fileMax = uploadMaxMb * MEBIBYTE;
  return {
    webrtc: { maxChannel: config.MAX_CALL_CHANNELS, heldOffer: true, iceServers: [] },
    group: { joinMode: newGroupJoinMode },
    message: { recallSeconds, editSeconds, textMax: config.TEXT_MAX },
    upload: { imageMax: Math.min(IMAGE_MAX_BYTES, fileMax), fileMax },
    webPush: webPush && { publicKey: webPush.publicKey },
  };
}
