import { useCallback, useEffect, useReducer, useState } from "react";
import type { ChatKey, Failure } from "@parley/core/model/state";
import { useClient, useClientState } from "../../../kit/use-client.ts";

interface ReaderIds {
  readonly read: readonly number[];
  /** Members who can see the message and have not read it. */
  readonly unread: readonly number[];
}

interface Readers {
  /** null until loaded. */
  readonly readers: ReaderIds | null;
  readonly failure: Failure | null;
  retry(): void;
}

const NOT_LOADED = { readers: null, failure: null } as const;

/** Loads who has read a message and who has not, again whenever the number of readers or members changes. */
export function useReaders(key: ChatKey, groupId: number, id: number): Readers {
  const client = useClient();
  const [result, setResult] = useState<Omit<Readers, "retry">>(NOT_LOADED);
  const [attempt, startAttempt] = useReducer((count: number) => count + 1, 0);
  const readedCount = useClientState(
    (state) => state.chats.byKey[key]?.window.messages.find((one) => one.id === id)?.group?.readedCount,
  );
  const membersCount = useClientState((state) => state.groups.byId[groupId]?.membersCount);
  const isLoaded = useClientState((state) => state.groups.members[groupId]?.state === "loaded");

  useEffect(() => {
    if (!isLoaded) void client.groups.loadMembers(groupId);
  }, [client, groupId, isLoaded, attempt]);
  useEffect(() => {
    let isCancelled = false;
    const load = async () => {
      const [read, unread] = await Promise.all([
        client.groups.readers(groupId, id, "read"),
        client.groups.readers(groupId, id, "unread"),
      ]);
      if (isCancelled) return;
      if (read.ok && unread.ok) {
        setResult({ readers: { read: read.value, unread: unread.value }, failure: null });
        return;
      }
      const failure = read.ok ? (unread.ok ? null : unread.failure) : read.failure;
      // Readers that were loaded stay when a reload fails.
      setResult(({ readers }) => ({ readers, failure: readers === null ? failure : null }));
    };
    void load();
    return () => {
      isCancelled = true;
    };
  }, [client, groupId, id, readedCount, membersCount, attempt]);

  return { ...result, retry: useCallback(() => startAttempt(), []) };
}
