import { ChatType, MessageType } from "@parley/protocol/codes";
import { type Expression, type Kysely, type SqlBool, expressionBuilder } from "kysely";
import type { FileReads, FileWrites, NamingMessage } from "../../ports/file-store.ts";
import { FileUse } from "./file-repository.ts";
import { inBatches, preparedQuery } from "./prepared-query.ts";
import type { MessageFileTable, MessageTable, Tables } from "./tables.ts";

/** Rows of `messageFile` that one query looks at, so that it does not block the server for long. */
const LOOKED_AT_MAX = 500;

/** The condition that neither of the two people sees a private message any more. Hiding and clearing cannot be undone. */
function isUnseen(message: "m" | "q"): Expression<SqlBool> {
  const eb = expressionBuilder<Tables & { m: MessageTable; q: MessageTable }, "m" | "q">();
  const isUnseenBy = (person: Expression<number>) =>
    eb.or([
      eb.exists(
        eb
          .selectFrom("userState as s")
          .select("s.userId")
          .where("s.userId", "=", person)
          .where((state) => state("s.clearedPrivate", ">=", eb.ref(`${message}.id`))),
      ),
      eb.exists(
        eb
          .selectFrom("hiddenMessage as h")
          .select("h.messageId")
          .where("h.ownerId", "=", person)
          .where((hidden) => hidden("h.messageId", "=", eb.ref(`${message}.id`))),
      ),
    ]);
  return eb.and([isUnseenBy(eb.ref(`${message}.sendId`)), isUnseenBy(eb.ref(`${message}.recvId`))]);
}

/** Reads which stored messages name files. */
export function messageFileReads(db: Kysely<Tables>): Pick<FileReads, "listUnseenFileMessages"> {
  const endOfPart = preparedQuery(db, (after: number) =>
    db
      .selectFrom("messageFile")
      .select("messageId")
      .where("chatType", "=", ChatType.PRIVATE)
      .where("messageId", ">", after)
      .orderBy("messageId")
      .limit(1)
      .offset(LOOKED_AT_MAX - 1),
  );
  const unseen = preparedQuery(db, (after: number, upTo: number) =>
    db
      .selectFrom("messageFile as f")
      .innerJoin("message as m", "m.id", "f.messageId")
      .select("f.messageId")
      .distinct()
      .where("f.chatType", "=", ChatType.PRIVATE)
      .where("f.messageId", ">", after)
      .where("f.messageId", "<=", upTo)
      .where(isUnseen("m"))
      .where(({ eb, not, exists }) =>
        not(
          exists(
            eb
              .selectFrom("message as q")
              .select("q.id")
              .whereRef("q.chatId", "=", "m.chatId")
              .whereRef("q.id", ">", "m.id")
              .whereRef("q.quoteId", "=", "m.id")
              .where("q.type", "!=", MessageType.EDIT)
              .where((quote) => quote.not(isUnseen("q"))),
          ),
        ),
      ),
  );

  return {
    async listUnseenFileMessages(after) {
      const [end] = (await endOfPart(after)).rows;
      const { rows } = await unseen(after, end?.messageId ?? Number.MAX_SAFE_INTEGER);
      return { ids: rows.map(({ messageId }) => messageId), next: end?.messageId ?? null };
    },
  };
}

/** What names files: a stored message, or an open report of one. */
interface Naming {
  kind: MessageFileTable["chatType"];
  id: number;
  /** Who wrote the message. */
  sendId: number;
}

/** Writes which stored messages name which files. */
export function messageFileWrites(db: Kysely<Tables>): Pick<FileWrites, "nameFiles" | "releaseFiles"> {
  const release = fileRelease(db);
  const nameFile = fileNaming(db);
  return {
    async nameFiles({ chatType, id, sendId }, urls) {
      for (const url of urls) if (!(await nameFile({ kind: chatType, id, sendId }, url))) return false;
      return true;
    },
    releaseFiles: (privateIds) => release.ofPrivate(privateIds),
  };
}

/** Keeps a file as long as something names it. False, and nothing is written, if this server did not issue it or has deleted it. */
export function fileNaming(db: Kysely<Tables>): (naming: Naming, url: string) => Promise<boolean> {
  // What an account or a group uses stays so: it is kept even when no message names it any more.
  const use = preparedQuery(db, (url: string) =>
    db
      .updateTable("file")
      .set((eb) => ({
        use: eb
          .case()
          .when("use", "=", FileUse.CLAIMED)
          .then(FileUse.CLAIMED)
          .else(FileUse.IN_MESSAGES)
          .end(),
      }))
      .where("url", "=", url)
      .where("use", "in", [FileUse.UNCLAIMED, FileUse.CLAIMED, FileUse.IN_MESSAGES]),
  );
  const insert = preparedQuery(
    db,
    (chatType: Naming["kind"], messageId: number, sendId: number, url: string) =>
      db.insertInto("messageFile").values({ chatType, messageId, sendId, url }),
  );

  return async ({ kind, id, sendId }, url) => {
    const { numAffectedRows = 0n } = await use(url);
    if (numAffectedRows === 0n) return false;
    await insert(kind, id, sendId, url);
    return true;
  };
}

/** Forgets which files messages or reports name, and marks those for deletion that nothing else names or uses. */
export function fileRelease(db: Kysely<Tables>) {
  const urlsOf = preparedQuery(db, (chatType: Naming["kind"], messageId: number) =>
    db
      .selectFrom("messageFile")
      .select(["url", "messageId"])
      .where("chatType", "=", chatType)
      .where("messageId", "=", messageId),
  );
  const urlsOfMember = preparedQuery(db, (groupId: number, sendId: number, upTo: number) =>
    db
      .selectFrom("messageFile as f")
      .innerJoin("message as m", "m.id", "f.messageId")
      .select(["f.url", "f.messageId"])
      .where("f.sendId", "=", sendId)
      .where("f.chatType", "=", ChatType.GROUP)
      .where("f.messageId", "<=", upTo)
      .where("m.chatId", "=", groupId),
  );
  const isNamed = (url: Expression<string>) =>
    db.selectFrom("messageFile as f").select("f.messageId").where("f.url", "=", url);

  async function release(
    chatType: Naming["kind"],
    named: readonly { url: string; messageId: number }[],
  ): Promise<void> {
    for (const batch of inBatches([...new Set(named.map(({ messageId }) => messageId))])) {
      await db
        .deleteFrom("messageFile")
        .where("chatType", "=", chatType)
        .where("messageId", "in", batch)
        .execute();
    }
    for (const batch of inBatches([...new Set(named.map(({ url }) => url))])) {
      await db
        .updateTable("file")
        .set({ use: FileUse.DELETING })
        .where("url", "in", batch)
        .where("use", "=", FileUse.IN_MESSAGES)
        .where((eb) => eb.not(eb.exists(isNamed(eb.ref("file.url")))))
        .execute();
    }
  }

  return {
    async ofMessage(chatType: NamingMessage["chatType"], messageId: number): Promise<void> {
      await release(chatType, (await urlsOf(chatType, messageId)).rows);
    },
    async ofPrivate(messageIds: readonly number[]): Promise<void> {
      for (const id of messageIds) await release(ChatType.PRIVATE, (await urlsOf(ChatType.PRIVATE, id)).rows);
    },
    /** What an open report keeps as evidence. */
    async ofReport(reportId: number): Promise<void> {
      await release("REPORT", (await urlsOf("REPORT", reportId)).rows);
    },
    /** What a member wrote in a group, up to a message id. */
    async ofMember(groupId: number, userId: number, upTo: number): Promise<void> {
      await release(ChatType.GROUP, (await urlsOfMember(groupId, userId, upTo)).rows);
    },
  };
}
