import { GroupRole, MessageType, RequestStatus } from "@parley/protocol/codes";
import { type Kysely, sql } from "kysely";
import type { AcquaintanceReads, AcquaintanceWrites } from "../../ports/acquaintance-store.ts";
import { isVisibleInGroup, staysOverlap } from "./group-visibility.ts";
import { isShownTo } from "./message-visibility.ts";
import { preparedQuery } from "./prepared-query.ts";

import type { Tables } from "./tables.ts";

/** The beginning of the content of a card, which the server has written. */
const cardOf = (personId: number) => `{"userId":${personId},%`;

/** What says that a person may know of another, each a query that finds something if it is so. `card`: the pattern of the other's card. */
function groundsOf(db: Kysely<Tables>, me: number, other: number, card: string) {
  // The rows of former friends stay, and with them their chat.
  const friendRow = (ownerId: number, friendId: number) =>
    db
      .selectFrom("friend")
      .select("friendId")
      .where("ownerId", "=", ownerId)
      .where("friendId", "=", friendId);
  const requests = (sendId: number, recvId: number) =>
    db.selectFrom("friendRequest").select("id").where("sendId", "=", sendId).where("recvId", "=", recvId);
  // The type is no parameter, so that the indexes of cards alone are used.
  const isCard = sql<boolean>`m.type = ${sql.lit(MessageType.BUSINESS_CARD)}`;
  return [
    friendRow(me, other),
    friendRow(other, me),
    // A request that this person sent and that was answered is over; who has ever asked them stays known.
    requests(me, other).where("status", "=", RequestStatus.PENDING),
    requests(other, me),
    db.selectFrom("block").select("otherId").where("ownerId", "=", me).where("otherId", "=", other),
    db
      .selectFrom("groupStay as mine")
      .innerJoin("groupStay as theirs", "theirs.groupId", "mine.groupId")
      .select("mine.groupId")
      .where("mine.userId", "=", me)
      .where("theirs.userId", "=", other)
      .where(staysOverlap),
    db
      .selectFrom("groupRequest as r")
      .innerJoin("chatGroup as g", "g.id", "r.groupId")
      .leftJoin("groupMember as member", (join) =>
        join.onRef("member.groupId", "=", "r.groupId").on("member.userId", "=", me),
      )
      .select("r.id")
      .where("r.status", "=", RequestStatus.PENDING)
      .where("g.dissolvedAt", "is", null)
      .where((eb) => eb.or([eb("r.sendId", "=", other), eb("r.inviterId", "=", other)]))
      .where((eb) =>
        eb.or([
          eb("r.inviterId", "=", me),
          eb.and([eb("member.quit", "=", 0), eb("member.role", "in", [GroupRole.ADMIN, GroupRole.OWNER])]),
        ]),
      ),
    db
      .selectFrom("message as m")
      .select("m.id")
      .where(isCard)
      .where("m.recvId", "=", me)
      .where("m.content", "like", card)
      .where(isShownTo(me)),
    db
      .selectFrom("groupStay as s")
      .innerJoin("message as m", "m.chatId", "s.groupId")
      .select("m.id")
      .where("s.userId", "=", me)
      .where(isCard)
      .whereRef("m.id", ">", "s.fromId")
      .where((eb) => eb.or([eb("s.toId", "is", null), eb("m.id", "<=", eb.ref("s.toId"))]))
      .where("m.content", "like", card)
      .where(isVisibleInGroup(me)),
  ];
}

/** Reads what people have in common. */
export function acquaintanceReads(db: Kysely<Tables>): AcquaintanceReads {
  const commonGround = preparedQuery(db, (me: number, other: number, card: string) =>
    db
      .selectFrom("user")
      .select("id")
      .where("id", "=", me)
      .where((eb) => eb.or(groundsOf(db, me, other, card).map((ground) => eb.exists(ground)))),
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
    async haveCommonGround(userId, otherId) {
      return (await commonGround(userId, otherId, cardOf(otherId))).rows.length > 0;
    },
    async hasFound(finderId, personId, since) {
      return (await found(finderId, personId, since)).rows.length > 0;
    },
  };
}

/** Writes what people have in common. */
export function acquaintanceWrites(db: Kysely<Tables>): AcquaintanceWrites {
  return {
    async rememberFound(finderId, personIds, now, since) {
      await db
        .deleteFrom("foundPerson")
        .where("finderId", "=", finderId)
        .where("foundAt", "<", since)
        .execute();
      await db
        .insertInto("foundPerson")
        .values(personIds.map((personId) => ({ finderId, personId, foundAt: now })))
        .onConflict((conflict) => conflict.columns(["finderId", "personId"]).doUpdateSet({ foundAt: now }))
        .execute();
    },
  };
}
