import { bannedPerson } from "@parley/core/model/selectors";
import { useText } from "../i18n/i18n.ts";
import { useClientState } from "../loading/use-client.ts";

/** The sentence that says that an administrator has banned this person (spec §8); null if they are not known to be banned. */
export function useBanned(userId: number): string | null {
  const t = useText();
  const banned = useClientState((state) => bannedPerson(state, userId));
  return banned === null ? null : t("card.banned", { reason: banned.reason ?? "" });
}
