import * as z from "zod/mini";
import { withPlayed } from "../model/chats/played-voices.ts";
import { chatKey } from "../model/schemas.ts";
import type { ChatKey, PlayedVoices as PlayedVoicesState } from "../model/state.ts";
import type { SessionEvents } from "../session-events.ts";
import { broadcastToTabs, listenToOwnTabs } from "../storage/tab-messages.ts";
import type { ChatDeps } from "./chat-store.ts";

/** What a person does with voice messages. */
export interface VoiceActions {
  /** A voice message was played on this device (`isUnheard` of `model/chats/played-voices`). */
  markPlayed(key: ChatKey, id: number): void;
}

/** Which voice messages were played on this device, in any of its tabs. The server does not store it. */
export interface PlayedVoices extends Pick<SessionEvents, "restore" | "reset"> {
  readonly actions: VoiceActions;
}

const playedVoices: z.ZodMiniType<PlayedVoicesState> = z.record(
  chatKey,
  z.object({ upTo: z.number(), ids: z.array(z.number()) }),
);

/** Creates the played voice messages of one session and listens to the other tabs. */
export function createPlayedVoices({ ports, stateStore, database, me }: ChatDeps): PlayedVoices {
  function add(key: ChatKey, id: number): boolean {
    const played = withPlayed(stateStore.get().played, key, id);
    if (played === stateStore.get().played) return false;
    stateStore.set({ played });
    database.save({ values: { played } });
    return true;
  }

  listenToOwnTabs(ports.tabs, me, "voicePlayed", ({ key, id }) => void add(key, id));

  return {
    actions: {
      markPlayed(key, id) {
        if (add(key, id)) broadcastToTabs(ports.tabs, { kind: "voicePlayed", userId: me, key, id });
      },
    },
    async restore() {
      const { data } = playedVoices.safeParse(await database.value("played"));
      if (data !== undefined) stateStore.set({ played: data });
    },
    reset(isOtherServer) {
      if (isOtherServer) stateStore.set({ played: {} });
      database.save({ values: { played: stateStore.get().played } });
    },
  };
}
