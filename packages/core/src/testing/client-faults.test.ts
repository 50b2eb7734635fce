import { afterEach, describe, expect, test, vi } from "vitest";

/** Faults of the client that scenarios have to detect. Each replaces functions of one module. */
const CLIENT_FAULTS: Record<string, () => void> = {
  "messages deleted for oneself come back by a late copy": () =>
    replace("../model/chats/deleted-for-me.ts", () => ({ isDeletedForMe: () => false })),
  "cleared messages come back by a late copy": () =>
    replace("../model/chats/deleted-for-me.ts", () => ({ isCleared: () => false })),
  "a late copy undoes an edit or a recall": () =>
    replace("../model/chats/row-events.ts", () => ({ applyRowEvents: (message: unknown) => message })),
  "the edit that arrives last wins over the edit that was stored last": () =>
    replace("../model/chats/row-events.ts", (real) => ({
      recordRowEvent: (events: unknown, event: unknown) => ({ events, event }),
      applyRowEvent: (message: object, event: unknown) =>
        (real["applyRowEvent"] as (message: object, event: unknown) => object)(
          { ...message, editedAt: null },
          event,
        ),
    })),
  "quotes do not follow edits and recalls": () =>
    replace("../model/chats/row-events.ts", (real) => ({
      applyRowEvent: (message: { id: number | null }, event: { targetId: number }) =>
        message.id === event.targetId
          ? (real["applyRowEvent"] as (message: object, event: object) => object)(message, event)
          : message,
    })),
  "messages removed by a moderator stay in the local database": () =>
    replace("../storage/removed-senders.ts", () => ({
      isFromRemovedSender: () => false,
      idsOfRemovedSender: async () => [],
    })),
  "a mention stays after it was read": () =>
    replace("../model/chats/chat-builder.ts", (real) => ({
      removeUnread(builder: { mentions: unknown }, shouldRemove: unknown) {
        const { mentions } = builder;
        (real["removeUnread"] as (builder: unknown, shouldRemove: unknown) => void)(builder, shouldRemove);
        builder.mentions = mentions;
      },
    })),
  "a mention of everyone is overlooked": () =>
    replace("../model/chats/mentions.ts", (real) => ({
      mentionOf(message: unknown, me: number) {
        const found = (real["mentionOf"] as (message: unknown, me: number) => { isAll: boolean } | null)(
          message,
          me,
        );
        return found?.isAll === true ? null : found;
      },
    })),
  "messages of a group stay as they were after the user joins it again": () =>
    replace("../model/chats/invalidate-messages.ts", () => ({ invalidateMessages: () => undefined })),
  "rows that a group pull left out count as known": () =>
    replace("../model/chats/known-ranges.ts", () => ({ addGap: (known: unknown) => known })),
};

type Exports = Record<string, unknown>;

function replace(path: string, part: (real: Exports) => Exports): void {
  vi.doMock(path, async (load) => {
    const real = await load<Exports>();
    return { ...real, ...part(real) };
  });
}

const SEEDS_TO_FIND = 300;
const TIMEOUT_MS = 120_000;

afterEach(() => {
  for (const name of [
    "deleted-for-me",
    "row-events",
    "chat-builder",
    "mentions",
    "invalidate-messages",
    "known-ranges",
  ])
    vi.doUnmock(`../model/chats/${name}.ts`);
  vi.doUnmock("../storage/removed-senders.ts");
  vi.resetModules();
});

describe("planted client faults", () => {
  test.each(Object.entries(CLIENT_FAULTS))(
    "I16 a scenario detects that %s",
    { timeout: TIMEOUT_MS },
    async (_name, applyFault) => {
      vi.resetModules();
      applyFault();
      const { runScenario } = await import("./scenario.ts");
      for (let seed = 1; seed <= SEEDS_TO_FIND; seed++) {
        const { problems } = await runScenario({ seed });
        if (problems.length > 0) return;
      }
      expect.fail(`${SEEDS_TO_FIND} scenarios did not detect it`);
    },
  );
});
