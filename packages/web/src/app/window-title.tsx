import { titleParts } from "@parley/core/model/format";
import { totalUnread } from "@parley/core/model/selectors";
import type { State } from "@parley/core/model/state";
import { useText } from "../kit/i18n.ts";
import { useClientState } from "../kit/use-client.ts";

/** The person's nickname or user name, before it the unread count when there is one; the product's name when nobody is known (spec §2). */
export function windowTitle(state: Pick<State, "session" | "me" | "chats">, product: string): string {
  const isSignedIn = state.session.kind !== "anonymous";
  const { name, unread } = titleParts(
    isSignedIn ? state.me : null,
    isSignedIn ? totalUnread(state.chats) : 0,
  );
  return unread > 0 ? `(${unread}) ${name ?? product}` : (name ?? product);
}

export function WindowTitle() {
  const t = useText();
  const product = t("app.name");
  return <title>{useClientState((state) => windowTitle(state, product))}</title>;
}
