import { useEffect } from "react";
import type { UserInfo } from "@parley/protocol/entities";
import type { Session } from "@parley/core/model/state";
import { readPreference, usePreference, writePreference } from "./preferences.ts";
import { useClientState } from "../loading/use-client.ts";

/** Settings of each person in this browser; the first value is the default. */
const USER_SETTINGS = {
  /** The key that sends; the other one of the two inserts a new line. */
  sendKey: ["enter", "ctrlEnter"],
  /** Where a chat opens while it has unread messages. */
  openAt: ["firstUnread", "newest"],
  alertSounds: ["on", "off"],
  /** Whether system notifications show the sender and the text. `off`: they only say that there is a message. */
  notificationContent: ["on", "off"],
  /** Whether this browser should show system notifications, besides the browser's own permission. */
  notifications: ["on", "off"],
  /** Where the person is told that somebody has reacted to their message. */
  reactionAlerts: ["list", "notify", "off"],
  /** Whether others see that the person types or records, on this device. */
  typing: ["on", "off"],
  /** Whether the chat list has a row for each muted group, or one for all of them. */
  mutedGroups: ["list", "folded"],
} as const;

/** Name of a setting. */
export type UserSetting = keyof typeof USER_SETTINGS;
/** The values that a setting can have. */
export type UserSettingValue<Name extends UserSetting> = (typeof USER_SETTINGS)[Name][number];
/** The key that sends a message. */
export type SendKey = UserSettingValue<"sendKey">;

/** The setting of the signed-in person; without one the default. */
export function readUserSetting<Name extends UserSetting>(
  session: Session,
  name: Name,
): UserSettingValue<Name> {
  const values: readonly UserSettingValue<Name>[] = USER_SETTINGS[name];
  const saved = session.kind === "anonymous" ? null : readPreference(`${name}.${session.userId}`);
  return values.find((value) => value === saved) ?? USER_SETTINGS[name][0];
}

/** Saves the setting for this person in this browser; other tabs follow. */
function writeUserSetting<Name extends UserSetting>(
  session: Session,
  name: Name,
  value: UserSettingValue<Name>,
): void {
  if (session.kind === "anonymous") return;
  writePreference(`${name}.${session.userId}`, value);
}

/** Forgets the settings of a person, including the spec's "other settings". */
export function forgetUserSettings(userId: number): void {
  writePreference(`otherSettings.${userId}`, null);
  writePreference(`hiddenPins.${userId}`, null);
  for (const name of Object.keys(USER_SETTINGS)) writePreference(`${name as UserSetting}.${userId}`, null);
}

/** A setting of the signed-in person, and the function that changes it. */
export function useUserSetting<Name extends UserSetting>(
  name: Name,
): readonly [UserSettingValue<Name>, (value: UserSettingValue<Name>) => void] {
  const session = useClientState((state) => state.session);
  const value = usePreference(() => readUserSetting(session, name));
  return [value, (next) => writeUserSetting(session, name, next)];
}

/** The other-settings object (spec §3), saved in this browser for each person. */
export interface OtherSettings {
  /** People need the person's approval to become friends. */
  readonly requireFriendConfirmation: boolean;
}

type Approval = Pick<UserInfo, "isManualApprove">;

/**
 * The settings of a person: as the server has them, while it has not answered as they were saved, and without both that friends need
 * approval (spec §5).
 */
export function readOtherSettings(userId: number, me: Approval | null): OtherSettings {
  return {
    requireFriendConfirmation:
      me?.isManualApprove ?? savedSettings(userId)?.requireFriendConfirmation ?? true,
  };
}

/** Saves the server's value over the saved one. Nothing changes while it is not known. */
export function saveOtherSettings(userId: number, me: Approval | null): void {
  const requireFriendConfirmation = me?.isManualApprove;
  if (requireFriendConfirmation == null) return;
  if (savedSettings(userId)?.requireFriendConfirmation === requireFriendConfirmation) return;
  const settings: OtherSettings = { requireFriendConfirmation };
  writePreference(`otherSettings.${userId}`, JSON.stringify(settings));
}

/** Saves the server's value whenever one's own user info is loaded. */
export function useSavedOtherSettings(): void {
  const me = useClientState((state) => state.me);
  useEffect(() => {
    if (me !== null) saveOtherSettings(me.id, me);
  }, [me]);
}

function savedSettings(userId: number): OtherSettings | null {
  try {
    const saved: unknown = JSON.parse(readPreference(`otherSettings.${userId}`) ?? "null");
    const isComplete =
      typeof saved === "object" &&
      saved !== null &&
      "requireFriendConfirmation" in saved &&
      typeof saved.requireFriendConfirmation === "boolean";
    return isComplete ? (saved as OtherSettings) : null;
  } catch {
    return null;
  }
}
