import { parsePlayed, withPlayed } from "../model/chats/played-voices.ts";
import type { ChatKey } from "../model/state.ts";
import { isRecord } from "../storage/key-value-storage.ts";
import type { ChatDeps } from "./chat-store.ts";

/** Which voice messages were played on this device. The server does not store it. */
export interface PlayedVoices {
  restore(): Promise<void>;
  mark(key: ChatKey, id: number): void;
  /** The local database was cleared. `isOtherServer`: the ids belong to other messages there. */
  reset(isOtherServer: boolean): void;
}

/** Creates the played voice messages of one session. */
export function createPlayedVoices({
  stateStore,
  database,
}: Pick<ChatDeps, "stateStore" | "database">): PlayedVoices {
  return {
    async restore() {
      const stored = await database.value("played");
      if (isRecord(stored)) stateStore.set({ played: parsePlayed(stored) });
    },
    mark(key, id) {
      const played = withPlayed(stateStore.get().played, key, id);
      if (played === stateStore.get().played) return;
      stateStore.set({ played });
      database.save({ values: { played } });
    },
    reset(isOtherServer) {
      if (isOtherServer) stateStore.set({ played: {} });
      database.save({ values: { played: stateStore.get().played } });
    },
  };
}
