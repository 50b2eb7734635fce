import { afterEach, beforeEach } from "vitest";
import type { UserRow } from "../../ports/store.ts";
import { accountContract } from "./account-contract.ts";
import { contactContract } from "./contact-contract.ts";
import { required, newUser, type StoreContext, type StoreSubject } from "./store-fixtures.ts";
import { groupEditContract } from "./group-edit-contract.ts";
import { groupMessageContract } from "./group-message-contract.ts";
import { groupContract } from "./group-contract.ts";
import { messageChangeContract } from "./message-change-contract.ts";
import { privateMessageContract } from "./private-message-contract.ts";
import { pullContract } from "./pull-contract.ts";
import { searchContract } from "./search-contract.ts";
import { readStateContract } from "./read-state-contract.ts";
import { writeContract } from "./write-contract.ts";

/** Every rule of `ports/store.ts`, to be run against each adapter inside a `describe`. */
export function storeContract(make: () => Promise<StoreSubject>): void {
  let subject: StoreSubject;
  beforeEach(async () => {
    subject = await make();
  });
  afterEach(() => subject.dispose());
  const bench: StoreContext = {
    get subject() {
      return subject;
    },
    get store() {
      return subject.store;
    },
    people: (count) =>
      subject.store.write(async (tx) => {
        const users: UserRow[] = [];
        for (let n = 1; n <= count; n++) users.push(required(await tx.insertUser(newUser(`person${n}`))));
        return users;
      }),
  };

  writeContract(bench);
  accountContract(bench);
  contactContract(bench);
  groupContract(bench);
  groupMessageContract(bench);
  groupEditContract(bench);
  privateMessageContract(bench);
  messageChangeContract(bench);
  pullContract(bench);
  searchContract(bench);
  readStateContract(bench);
}
