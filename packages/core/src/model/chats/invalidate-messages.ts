import { type ChatBuilder, removeUnread, recomputeTimeTips } from "./chat-builder.ts";
import { showNewest } from "./add-page.ts";

/** Forgets all messages up to an id, so that they are loaded again. Unsent messages and deletions stay. */
export function invalidateMessages(builder: ChatBuilder, upTo: number): void {
  showNewest(builder);
  removeUnread(builder, () => true);
  const { sync } = builder.chat;
  const known = { knownFrom: Math.max(sync.knownFrom, upTo + 1), olderRanges: [] };
  builder.chat = {
    ...builder.chat,
    sync: {
      ...sync,
      ...known,
      timeTipBeforeWindow: null,
      newestTimeTip: null,
      needsPreview: sync.newest !== null,
    },
  };
  recomputeTimeTips(builder, 0);
  builder.isChanged = true;
}
