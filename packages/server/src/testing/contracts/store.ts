import { afterEach, beforeEach } from "vitest";
import type { UserRow } from "../../ports/store.ts";
import { accountRules } from "./store-accounts.ts";
import { contactRules } from "./store-contacts.ts";
import { known, newUser, type StoreBench, type StoreSubject } from "./store-fixtures.ts";
import { groupEditRules } from "./store-group-edits.ts";
import { groupMessageRules } from "./store-group-messages.ts";
import { groupRules } from "./store-groups.ts";
import { lifeRules } from "./store-life.ts";
import { messageRules } from "./store-messages.ts";
import { pullRules } from "./store-pull.ts";
import { searchRules } from "./store-search.ts";
import { stateRules } from "./store-state.ts";
import { writeRules } from "./store-writes.ts";

/** Every rule of `ports/store.ts`, to be run against each adapter inside a `describe`. */
export function storeContract(make: () => Promise<StoreSubject>): void {
  let subject: StoreSubject;
  beforeEach(async () => {
    subject = await make();
  });
  afterEach(() => subject.dispose());
  const bench: StoreBench = {
    get subject() {
      return subject;
    },
    get store() {
      return subject.store;
    },
    people: (count) =>
      subject.store.write(async (tx) => {
        const users: UserRow[] = [];
        for (let n = 1; n <= count; n++) users.push(known(await tx.insertUser(newUser(`person${n}`))));
        return users;
      }),
  };

  writeRules(bench);
  accountRules(bench);
  contactRules(bench);
  groupRules(bench);
  groupMessageRules(bench);
  groupEditRules(bench);
  messageRules(bench);
  lifeRules(bench);
  pullRules(bench);
  searchRules(bench);
  stateRules(bench);
}
