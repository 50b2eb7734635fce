import { afterEach, beforeEach } from "vitest";
import type { UserRow } from "../../ports/account-store.ts";
import { accountContract } from "./account-contract.ts";
import { acquaintanceContract } from "./acquaintance-contract.ts";
import { adminContract } from "./admin-contract.ts";
import { callContract } from "./call-contract.ts";
import { contactContract } from "./contact-contract.ts";
import { firstChatsContract } from "./first-chats-contract.ts";
import { required, newUser, type StoreContext, type StoreSubject } from "./store-fixtures.ts";
import { groupEditContract } from "./group-edit-contract.ts";
import { groupMessageContract } from "./group-message-contract.ts";
import { groupReceiptContract } from "./group-receipt-contract.ts";
import { groupVisibilityContract } from "./group-visibility-contract.ts";
import { groupContract } from "./group-contract.ts";
import { chatPrefContract } from "./chat-pref-contract.ts";
import { messageExtraContract } from "./message-extra-contract.ts";
import { messageFileContract } from "./message-file-contract.ts";
import { messageTimeContract } from "./message-time-contract.ts";
import { messageChangeContract } from "./message-change-contract.ts";
import { privateMessageContract } from "./private-message-contract.ts";
import { nodesContract } from "./nodes-contract.ts";
import { pullContract } from "./pull-contract.ts";
import { savedMessageContract } from "./saved-message-contract.ts";
import { searchContract } from "./search-contract.ts";
import { readStateContract } from "./read-state-contract.ts";
import { webPushContract } from "./web-push-contract.ts";
import { writeContract } from "./write-contract.ts";

/** Tests of all rules of `ports/store.ts`. The test of each adapter calls it inside a `describe`. */
export function storeContract(createSubject: () => Promise<StoreSubject>): void {
  let subject: StoreSubject;
  beforeEach(async () => {
    subject = await createSubject();
  });
  afterEach(() => subject.dispose());
  const context: StoreContext = {
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

  writeContract(context);
  accountContract(context);
  adminContract(context);
  contactContract(context);
  acquaintanceContract(context);
  groupContract(context);
  groupMessageContract(context);
  groupVisibilityContract(context);
  groupReceiptContract(context);
  groupEditContract(context);
  privateMessageContract(context);
  messageChangeContract(context);
  messageExtraContract(context);
  chatPrefContract(context);
  savedMessageContract(context);
  messageFileContract(context);
  pullContract(context);
  firstChatsContract(context);
  searchContract(context);
  readStateContract(context);
  webPushContract(context);
  callContract(context);
  nodesContract(context);
  messageTimeContract(context);
}
