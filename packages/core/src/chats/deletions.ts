import * as z from "zod/mini";
import { DELETE_BATCH_MAX } from "@parley/protocol/limits";
import { chatKey } from "../model/schemas.ts";
import type { ChatKey, ChatMessage, Failure, Result } from "../model/state.ts";
import { DONE, fail } from "../connection/api.ts";
import type { ChatDeps } from "./chat-store.ts";
import type { SessionEvents } from "../session-events.ts";
import { createDurableQueue } from "../storage/durable-queue.ts";
import { createStoredEntries } from "../storage/stored-entries.ts";
import { chatApiOf, NOT_SENDABLE } from "./chat-api.ts";

/** What a person deletes. */
export interface DeletionActions {
  /** Deletes messages for oneself on all of one's devices. They are hidden at once, and come back if the server refuses. */
  deleteForMe(key: ChatKey, ids: readonly number[]): Promise<Result<null>>;
}

/**
 * Messages deleted for oneself: they disappear at once, and the deletion is sent until the server answers, also after a reload. Only a
 * refusal brings them back. In another database of the server the ids belong to other messages, so all deletions are dropped.
 */
export interface Deletions extends Pick<SessionEvents, "restore" | "reapply" | "retry" | "reset"> {
  readonly actions: DeletionActions;
}

/** A deletion that the server has not confirmed. */
export interface UnsentDeletion {
  readonly key: ChatKey;
  readonly ids: readonly number[];
  /** The messages before the deletion, as far as they were in memory. */
  readonly messages: readonly ChatMessage[];
}

/** The messages themselves are deleted from the local database, so none are stored. */
const unsentDeletion: z.ZodMiniType<UnsentDeletion> = z.object({
  key: chatKey,
  ids: z.array(z.number()),
  messages: z._default(z.array(z.never()), []),
});

const idOf = ({ key, ids }: UnsentDeletion) => `${key} ${ids.join()}`;

/** Creates the deletions; `restore` loads those that a reload interrupted. `onDeleted`: the server has deleted these. */
export function createDeletions({
  ports,
  api,
  database,
  chatStore,
  onDeleted,
}: ChatDeps & { onDeleted(ids: readonly number[]): void }): Deletions {
  const queue = createDurableQueue<UnsentDeletion>({
    ports,
    idOf,
    ...createStoredEntries<UnsentDeletion>({
      database,
      prefix: "unsentDeletion ",
      idOf,
      valueOf: ({ key, ids }) => ({ key, ids }),
      schema: unsentDeletion,
    }),
    async send({ key, ids }) {
      const result = await chatApiOf(api, key)?.deleteForMe(ids);
      if (result === undefined) return null;
      if (result.ok) onDeleted(ids);
      return result.ok ? null : result.failure;
    },
    onRefused({ key, ids, messages }) {
      chatStore.dispatch([{ kind: "restoreDeleted", key, ids, messages }]);
      return null;
    },
  });

  const actions: DeletionActions = {
    async deleteForMe(key, ids) {
      if (chatApiOf(api, key) === null) return fail(NOT_SENDABLE);
      const window = chatStore.chatOf(key)?.window.messages ?? [];
      const attempts: Promise<Failure | null>[] = [];
      for (let i = 0; i < ids.length; i += DELETE_BATCH_MAX) {
        const batch = ids.slice(i, i + DELETE_BATCH_MAX);
        const messages = window.filter(({ id }) => id !== null && batch.includes(id));
        attempts.push(queue.put({ key, ids: batch, messages }));
      }
      // Afterwards, so that the write that removes the messages from the local database has the deletion as well.
      chatStore.dispatch([{ kind: "deleteForMe", key, ids }]);
      const failure = (await Promise.all(attempts)).find((refusal) => refusal !== null);
      return failure === undefined ? DONE : fail(failure);
    },
  };

  return {
    actions,
    restore: queue.restore,
    retry: queue.retry,
    reset(isOtherServer) {
      if (isOtherServer) queue.drop();
      else queue.saveAll();
    },
    reapply() {
      chatStore.dispatch(queue.entries().map(({ key, ids }) => ({ kind: "deleteForMe", key, ids })));
    },
  };
}
