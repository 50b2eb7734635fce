import type { State } from "@parley/core/model/state";
import { unreadTotal } from "../kit/unread.ts";
import { useText } from "../kit/i18n.ts";
import { useClientState } from "../kit/use-client.ts";

/** The person's nickname or user name, before it the unread count when there is one; the product's name when nobody is known (spec §2). */
export function titleOf(name: string, unread: number): string {
  return unread > 0 ? `(${unread > 99 ? "99+" : unread}) ${name}` : name;
}

function nameOf(state: State): string {
  return state.session.kind === "anonymous" ? "" : state.me?.nickName || state.me?.userName || "";
}

export function WindowTitle() {
  const t = useText();
  const name = useClientState(nameOf);
  const unread = useClientState((state) => (state.session.kind === "anonymous" ? 0 : unreadTotal(state)));
  return <title>{titleOf(name || t("app.name"), unread)}</title>;
}
