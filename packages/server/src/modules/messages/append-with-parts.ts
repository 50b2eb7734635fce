/** Stores a message that is more than its row: it quotes another one, names uploaded files, or is a poll. */
import type { Poll } from "@parley/protocol/poll";
import { ApiError } from "../../api/api-error.ts";
import type { Appended, QuotedRow, ChatKind } from "../../ports/stored-message.ts";
import { quotedRow } from "../../presenters/message-presenter.ts";
import type { NewOf, RowOf } from "../../ports/message-store.ts";
import type { ChatStrategy } from "./chat-strategy.ts";
import type { MessagesStore, MessagesTx } from "./messages-store.ts";

/**
 * Reads the quoted row and names the files in the transaction that appends: the quote cannot contain the text of a message that is
 * recalled meanwhile, and no file is deleted that a stored message names.
 */
export function createAppendWithParts<Kind extends ChatKind>(
  chats: ChatStrategy<Kind>,
  store: MessagesStore,
): (
  message: NewOf<Kind>,
  quoteId: number,
  files: readonly string[],
  parts?: {
    /** Throws if the message may not be stored. */
    check?(tx: MessagesTx): Promise<void>;
    poll?: Poll | undefined;
  },
) => Promise<Appended<RowOf<Kind>>> {
  async function findQuoted(tx: MessagesTx, message: NewOf<Kind>, quoteId: number): Promise<QuotedRow> {
    const quoted = await chats.findQuotable(tx, message, quoteId);
    if (quoted === undefined) throw new ApiError("message.quoteUnknown");
    return quotedRow(quoted);
  }

  return (message, quoteId, files, { check, poll } = {}) =>
    store.write(async (tx) => {
      await check?.(tx);
      if (files.length > 0 || poll !== undefined) await chats.requireSender(tx, message);
      const stored = await chats.appendWithin(tx, {
        ...message,
        ...(quoteId !== 0 && { quote: await findQuoted(tx, message, quoteId) }),
      });
      // A repeated send keeps the files of the first, which may have been recalled meanwhile.
      const { id, sendId } = stored.row;
      if (stored.isNew && !(await tx.nameFiles({ chatType: chats.type, id, sendId }, files))) {
        throw new ApiError("file.notIssued");
      }
      if (stored.isNew && poll !== undefined) stored.extra = await tx.createPoll(id, poll);
      return stored;
    });
}
