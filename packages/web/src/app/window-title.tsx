import { titleParts } from "@parley/core/model/format";
import { totalUnread } from "@parley/core/model/selectors";
import type { State } from "@parley/core/model/state";
import { useText } from "../kit/i18n.ts";
import { useClientState } from "../kit/use-client.ts";

/** Title of the window: unread count, if any, and the person's nickname or user name; the product's name without a user (spec §2). */
export function windowTitle(
  state: Pick<State, "session" | "me" | "chats"> & Partial<Pick<State, "firstChats">>,
  product: string,
): string {
  const isSignedIn = state.session.kind !== "anonymous";
  const { name, unread } = titleParts(
    isSignedIn ? state.me : null,
    isSignedIn ? totalUnread(state.chats, state.firstChats) : 0,
  );
  return unread > 0 ? `(${unread}) ${name ?? product}` : (name ?? product);
}

/** Sets the title of the window. */
export function WindowTitle() {
  const t = useText();
  const product = t("app.name");
  return <title>{useClientState((state) => windowTitle(state, product))}</title>;
}
