/** Whom a person has blocked: the blocked can neither send nor apply nor call. */
import type { Delivery } from "../../delivery.ts";
import { type Handlers, Refusal } from "../../ports/call.ts";
import type { Store } from "../../ports/store.ts";
import { publicInfo } from "../../rules/people.ts";

export interface BlacklistDeps {
  store: Store;
  delivery: Delivery;
}

type BlacklistHandlers = Pick<Handlers, "addToBlacklist" | "removeFromBlacklist" | "listBlacklist">;

export function createBlacklist({ store, delivery }: BlacklistDeps): BlacklistHandlers {
  return {
    async addToBlacklist({ actor, query, now }) {
      const { userId } = query;
      if (userId === actor.userId) throw new Refusal("blacklist.self");
      await store.write(async (tx) => {
        if ((await tx.findUser(userId)) === undefined) throw new Refusal("user.notFound");
        await tx.block(actor.userId, userId, now);
      });
      delivery.changed([actor.userId, userId]);
      return null;
    },

    async removeFromBlacklist({ actor, query }) {
      await store.write((tx) => tx.unblock(actor.userId, query.userId));
      delivery.changed([actor.userId, query.userId]);
      return null;
    },

    async listBlacklist({ actor }) {
      const users = await store.findUsers(await store.listBlocked(actor.userId));
      // Across a block nobody is seen online.
      return users.map((user) => publicInfo(user, false));
    },
  };
}
