import { useEffect, useMemo } from "react";
import { parseObject } from "@parley/protocol/message";
import { type PinnedMessages, shownPins } from "@parley/core/model/chats/pins";
import type { ChatKey } from "@parley/core/model/state";
import { useClient, useClientState } from "../../../../kit/loading/use-client.ts";
import { type Loaded, useLoaded } from "../../../../kit/loading/use-loaded.ts";
import { myIdOf } from "../../../../kit/people/person.ts";
import { readPreference, usePreference, writePreference } from "../../../../kit/settings/preferences.ts";

/** The pinned messages of a chat, the one that was pinned last first, as far as they are known. */
export function usePins(chatKey: ChatKey): PinnedMessages {
  const told = useClientState((state) => state.pins[chatKey]);
  const chat = useClientState((state) => state.chats.byKey[chatKey]);
  const unsentActs = useClientState((state) => state.unsentActs);
  return useMemo(() => shownPins(told, chat, { unsentActs }), [told, chat, unsentActs]);
}

/** Loads the pinned messages of a chat while it shows, again after each outage. Without an answer the bar stays away. */
export function usePinLoading(chatKey: ChatKey): void {
  const client = useClient();
  const connection = useClientState((state) => state.connection.kind);
  useEffect(() => {
    if (connection === "online") void client.chats.loadPins(chatKey);
  }, [client, chatKey, connection]);
}

/** The same for those who tell of a failure. */
export function useLoadedPins(chatKey: ChatKey): Omit<Loaded<null>, "value"> {
  const client = useClient();
  const connection = useClientState((state) => state.connection.kind);
  return useLoaded(() => client.chats.loadPins(chatKey), `${chatKey} ${connection}`);
}

/** The last chats whose bar a person has hidden. */
const HIDDEN_MAX = 100;

/** Whether this person has hidden the bar of a chat since its newest pin, and the function that hides it. */
export function useHiddenPins(
  chatKey: ChatKey,
  { messages: [newest] }: PinnedMessages,
): readonly [boolean, () => void] {
  const preference = `hiddenPins.${useClientState(myIdOf)}` as const;
  const hidden = parseObject(usePreference(() => readPreference(preference) ?? "{}"));
  // What the server has not confirmed was pinned just now.
  const pinnedAt = newest?.extra?.pin?.at ?? Infinity;
  const hide = () => {
    const { [chatKey]: _, ...others } = hidden;
    const kept = Object.entries(others).slice(1 - HIDDEN_MAX);
    writePreference(preference, JSON.stringify({ ...Object.fromEntries(kept), [chatKey]: pinnedAt }));
  };
  const hiddenAt = hidden[chatKey];
  return [typeof hiddenAt === "number" && pinnedAt <= hiddenAt, hide];
}
