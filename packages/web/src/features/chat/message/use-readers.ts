import { useCallback, useEffect, useReducer, useState } from "react";
import type { ChatKey, Failure } from "@parley/core/model/state";
import { useClient, useClientState } from "../../../kit/use-client.ts";

interface ReaderIds {
  readonly read: readonly number[];
  /** Members who see it and have not read it. */
  readonly unread: readonly number[];
}

interface Readers {
  /** null: not known yet. */
  readonly readers: ReaderIds | null;
  readonly failure: Failure | null;
  retry(): void;
}

const UNKNOWN = { readers: null, failure: null } as const;

/** Asks who has read a message and who has not, and again whenever the number of readers or of members changes. */
export function useReaders(key: ChatKey, groupId: number, id: number): Readers {
  const client = useClient();
  const [answer, setAnswer] = useState<Omit<Readers, "retry">>(UNKNOWN);
  const [attempt, again] = useReducer((count: number) => count + 1, 0);
  const readedCount = useClientState(
    (state) => state.chats.byKey[key]?.window.messages.find((one) => one.id === id)?.group?.readedCount,
  );
  const membersCount = useClientState((state) => state.groups.byId[groupId]?.membersCount);
  const isLoaded = useClientState((state) => state.groups.members[groupId]?.state === "loaded");

  useEffect(() => {
    if (!isLoaded) void client.groups.loadMembers(groupId);
  }, [client, groupId, isLoaded, attempt]);
  useEffect(() => {
    let isGone = false;
    const ask = async () => {
      const [read, unread] = await Promise.all([
        client.groups.readers(groupId, id, "read"),
        client.groups.readers(groupId, id, "unread"),
      ]);
      if (isGone) return;
      if (read.ok && unread.ok) {
        setAnswer({ readers: { read: read.value, unread: unread.value }, failure: null });
        return;
      }
      const failure = read.ok ? (unread.ok ? null : unread.failure) : read.failure;
      // What was known stays when asking again fails.
      setAnswer(({ readers }) => ({ readers, failure: readers === null ? failure : null }));
    };
    void ask();
    return () => {
      isGone = true;
    };
  }, [client, groupId, id, readedCount, membersCount, attempt]);

  return { ...answer, retry: useCallback(() => again(), []) };
}
