import { useCallback, useEffect, useMemo, useReducer, useState } from "react";
import type { ChatKey, Failure } from "@parley/core/model/state";
import { useClient, useClientState } from "../../../kit/use-client.ts";

interface Readers {
  /** null: not known yet. */
  readonly read: readonly number[] | null;
  /** Members who have not read it, in the order of the group. */
  readonly unread: readonly number[];
  readonly failure: Failure | null;
  again(): void;
}

/**
 * Asks who has read a message, and again whenever the number of readers changes. The unread are the other members; whoever joined after
 * the message does not see it, which only the server knows: it says when nobody is left.
 */
export function useReaders(key: ChatKey, groupId: number, id: number): Readers {
  const client = useClient();
  const [answer, setAnswer] = useState<{ read: readonly number[] | null; failure: Failure | null }>({
    read: null,
    failure: null,
  });
  const [turn, again] = useReducer((count: number) => count + 1, 0);
  const message = useClientState((state) =>
    state.chats.byKey[key]?.window.messages.find((one) => one.id === id),
  );
  const members = useClientState((state) => state.groups.members[groupId]);
  const count = message?.group?.readedCount ?? 0;
  const isForAll = message?.group?.receiptOk === true;
  const sendId = message?.sendId;
  const isLoaded = members?.state === "loaded";

  useEffect(() => {
    if (!isLoaded) void client.groups.loadMembers(groupId);
  }, [client, groupId, isLoaded, turn]);
  useEffect(() => {
    let isGone = false;
    void client.groups.readers(groupId, id).then((result) => {
      if (isGone) return;
      // What was known stays when asking again fails.
      setAnswer(({ read }) =>
        result.ok
          ? { read: result.value, failure: null }
          : { read, failure: read === null ? result.failure : null },
      );
    });
    return () => {
      isGone = true;
    };
  }, [client, groupId, id, count, turn]);

  const { read, failure } = answer;
  const unread = useMemo(() => {
    if (read === null || isForAll) return [];
    const readers = new Set(read);
    return (members?.order ?? []).filter((one) => one !== sendId && !readers.has(one));
  }, [read, isForAll, members, sendId]);
  return { read, unread, failure, again: useCallback(() => again(), []) };
}
