import { useEffect } from "react";
import type { UserInfo } from "@parley/protocol/entities";
import { readPreference, writePreference } from "./preferences.ts";
import { useClientState } from "../loading/use-client.ts";

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
