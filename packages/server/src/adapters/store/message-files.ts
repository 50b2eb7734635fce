import { ChatType } from "@parley/protocol/codes";
import type { Expression, Kysely } from "kysely";
import type { FileWrites, NamingMessage } from "../../ports/file-store.ts";
import { FileUse } from "./file-repository.ts";
import { inBatches, preparedQuery } from "./prepared-query.ts";
import type { Tables } from "./tables.ts";

/** Writes which stored messages name which files. */
export function messageFileWrites(db: Kysely<Tables>): Pick<FileWrites, "nameFiles"> {
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
    (chatType: NamingMessage["chatType"], messageId: number, sendId: number, url: string) =>
      db.insertInto("messageFile").values({ chatType, messageId, sendId, url }),
  );

  return {
    async nameFiles({ chatType, id, sendId }, urls) {
      for (const url of urls) {
        const { numAffectedRows = 0n } = await use(url);
        if (numAffectedRows === 0n) return false;
        await insert(chatType, id, sendId, url);
      }
      return true;
    },
  };
}

/** Forgets which files messages name, and marks those for deletion that nothing else names or uses. */
export function fileRelease(db: Kysely<Tables>) {
  const urlsOf = preparedQuery(db, (chatType: NamingMessage["chatType"], messageId: number) =>
    db
      .selectFrom("messageFile")
      .select(["url", "messageId"])
      .where("chatType", "=", chatType)
      .where("messageId", "=", messageId),
  );
  const urlsOfMember = preparedQuery(db, (groupId: number, sendId: number, upTo: number) =>
    db
      .selectFrom("messageFile as f")
      .innerJoin("groupMessage as m", "m.id", "f.messageId")
      .select(["f.url", "f.messageId"])
      .where("f.sendId", "=", sendId)
      .where("f.chatType", "=", ChatType.GROUP)
      .where("f.messageId", "<=", upTo)
      .where("m.groupId", "=", groupId),
  );
  const isNamed = (url: Expression<string>) =>
    db.selectFrom("messageFile as f").select("f.messageId").where("f.url", "=", url);

  async function release(
    chatType: NamingMessage["chatType"],
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
    /** What a member wrote in a group, up to a message id. */
    async ofMember(groupId: number, userId: number, upTo: number): Promise<void> {
      await release(ChatType.GROUP, (await urlsOfMember(groupId, userId, upTo)).rows);
    },
  };
}
