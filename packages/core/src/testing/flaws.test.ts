import { afterEach, describe, expect, test, vi } from "vitest";

/** Ways to build the client wrongly that the worlds must find. Each takes the place of a part of the model. */
const FLAWS: Record<string, () => void> = {
  "messages deleted for oneself come back by a late copy": () =>
    replace("../model/gone.ts", () => ({ isHidden: () => false })),
  "cleared messages come back by a late copy": () =>
    replace("../model/gone.ts", () => ({ isCleared: () => false })),
  "a copy that was under way undoes an edit or a recall": () =>
    replace("../model/events.ts", () => ({ applyEvents: (message: unknown) => message })),
  "of two edits the one that comes later wins": () =>
    replace("../model/events.ts", (real) => ({
      noteEvent: (events: unknown, event: unknown) => ({ events, event }),
      applyEvent: (message: object, event: unknown) =>
        (real["applyEvent"] as (message: object, event: unknown) => object)(
          { ...message, editedAt: null },
          event,
        ),
    })),
  "quotes do not follow": () =>
    replace("../model/events.ts", (real) => ({
      applyEvent: (message: { id: number | null }, event: { targetId: number }) =>
        message.id === event.targetId
          ? (real["applyEvent"] as (message: object, event: object) => object)(message, event)
          : message,
    })),
  "what was purged from a group stays on the disk": () =>
    replace("../runtime/disk-purge.ts", () => ({ isPurged: () => false, purgedIds: async () => [] })),
  "a mention stays when it was read": () =>
    replace("../model/draft.ts", (real) => ({
      removeUnread(draft: { mentions: unknown }, isGone: unknown) {
        const { mentions } = draft;
        (real["removeUnread"] as (draft: unknown, isGone: unknown) => void)(draft, isGone);
        draft.mentions = mentions;
      },
    })),
  "a mention of everyone is overlooked": () =>
    replace("../model/mentions.ts", (real) => ({
      mentionIn(message: unknown, me: number) {
        const found = (real["mentionIn"] as (message: unknown, me: number) => { isAll: boolean } | null)(
          message,
          me,
        );
        return found?.isAll === true ? null : found;
      },
    })),
  "what was known of a group stays when it takes one back": () =>
    replace("../model/renew.ts", () => ({ forgetMessages: () => undefined })),
  "what a pull of groups left out counts as known": () =>
    replace("../model/spans.ts", () => ({ withGap: (known: unknown) => known })),
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
  vi.doUnmock("../model/gone.ts");
  vi.doUnmock("../model/events.ts");
  for (const name of ["draft", "mentions", "renew", "spans"]) vi.doUnmock(`../model/${name}.ts`);
  vi.doUnmock("../runtime/disk-purge.ts");
  vi.resetModules();
});

describe("flaws of the client", () => {
  test.each(Object.entries(FLAWS))(
    "I16 a world finds that %s",
    { timeout: TIMEOUT_MS },
    async (_name, plant) => {
      vi.resetModules();
      plant();
      const { runWorld } = await import("./world.ts");
      for (let seed = 1; seed <= SEEDS_TO_FIND; seed++) {
        const { problems } = await runWorld({ seed });
        if (problems.length > 0) return;
      }
      expect.fail(`${SEEDS_TO_FIND} worlds did not find it`);
    },
  );
});
