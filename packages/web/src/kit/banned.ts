import { bannedPerson } from "@parley/core/model/selectors";
import { useText } from "./i18n.ts";
import { useClientState } from "./use-client.ts";

/** The sentence about somebody whom an administrator has banned (spec §8); null: not banned, as far as is known. */
export function useBanned(userId: number): string | null {
  const t = useText();
  const banned = useClientState((state) => bannedPerson(state, userId));
  return banned === null ? null : t("card.banned", { reason: banned.reason ?? "" });
}
