import { MessageType } from "@parley/protocol/codes";
import { type Kysely, sql } from "kysely";
import type { AcquaintanceReads, AcquaintanceWrites } from "../../ports/acquaintance-store.ts";
import { isVisibleInGroup } from "./group-visibility.ts";
import { preparedQuery } from "./prepared-query.ts";
import { isVisibleTo } from "./private-visibility.ts";
import type { Tables } from "./tables.ts";

/** The beginning of the content of a card, which the server has written. */
const cardOf = (personId: number) => `{"userId":${personId},%`;

/** Reads what people have in common. */
export function acquaintanceReads(db: Kysely<Tables>): AcquaintanceReads {
  const sharedStays = preparedQuery(db, (userId: number, otherId: number) =>
    db
      .selectFrom("groupStay as mine")
      .innerJoin("groupStay as theirs", "theirs.groupId", "mine.groupId")
      .select("mine.groupId")
      .where("mine.userId", "=", userId)
      .where("theirs.userId", "=", otherId)
      // The stays overlap. A tip follows whoever comes, so that nobody who went after it has left at the same id.
      .where((eb) => eb.or([eb("theirs.toId", "is", null), eb("theirs.toId", ">", eb.ref("mine.fromId"))]))
      .where((eb) => eb.or([eb("mine.toId", "is", null), eb("mine.toId", ">", eb.ref("theirs.fromId"))]))
      .limit(1),
  );
  // The type is no parameter, so that the indexes of cards alone are used.
  const isCard = sql<boolean>`m.type = ${sql.lit(MessageType.BUSINESS_CARD)}`;
  const privateCards = preparedQuery(db, (userId: number, pattern: string) =>
    db
      .selectFrom("privateMessage as m")
      .select("m.id")
      .where(isCard)
      .where("m.recvId", "=", userId)
      .where("m.content", "like", pattern)
      .where(isVisibleTo(userId))
      .limit(1),
  );
  const groupCards = preparedQuery(db, (userId: number, pattern: string) =>
    db
      .selectFrom("groupStay as s")
      .innerJoin("groupMessage as m", "m.groupId", "s.groupId")
      .select("m.id")
      .where("s.userId", "=", userId)
      .where(isCard)
      .whereRef("m.id", ">", "s.fromId")
      .where((eb) => eb.or([eb("s.toId", "is", null), eb("m.id", "<=", eb.ref("s.toId"))]))
      .where("m.content", "like", pattern)
      .where(isVisibleInGroup(userId))
      .limit(1),
  );
  const requests = preparedQuery(db, (sendId: number, recvId: number) =>
    db
      .selectFrom("friendRequest")
      .select("id")
      .where("sendId", "=", sendId)
      .where("recvId", "=", recvId)
      .limit(1),
  );
  const found = preparedQuery(db, (finderId: number, personId: number, since: number) =>
    db
      .selectFrom("foundPerson")
      .select("personId")
      .where("finderId", "=", finderId)
      .where("personId", "=", personId)
      .where("foundAt", ">=", since),
  );
  return {
    async haveSharedGroup(userId, otherId) {
      return (await sharedStays(userId, otherId)).rows.length > 0;
    },
    async hasReceivedCard(userId, personId) {
      const pattern = cardOf(personId);
      const isPrivate = (await privateCards(userId, pattern)).rows.length > 0;
      return isPrivate || (await groupCards(userId, pattern)).rows.length > 0;
    },
    async hasRequested(sendId, recvId) {
      return (await requests(sendId, recvId)).rows.length > 0;
    },
    async hasFound(finderId, personId, since) {
      return (await found(finderId, personId, since)).rows.length > 0;
    },
  };
}

/** Writes what people have in common. */
export function acquaintanceWrites(db: Kysely<Tables>): AcquaintanceWrites {
  return {
    async rememberFound(finderId, personId, now, since) {
      await db.deleteFrom("foundPerson").where("foundAt", "<", since).execute();
      await db
        .insertInto("foundPerson")
        .values({ finderId, personId, foundAt: now })
        .onConflict((conflict) => conflict.columns(["finderId", "personId"]).doUpdateSet({ foundAt: now }))
        .execute();
    },
  };
}
