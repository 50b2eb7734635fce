/**
 * Fills a new store with long conversations and large groups, for tests that need many rows. This is faster than HTTP.
 * Standard input is a `Conversations` as JSON; standard output is the list of user ids. Run it before a server opens the store.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { GroupRole, MessageType } from "@parley/protocol/codes";
import { openStore } from "../adapters/store/open-store.ts";
import { createPasswordHasher } from "../modules/account/password-hasher.ts";
import { newGroup } from "./contracts/store-fixtures.ts";

interface Conversations {
  readonly password: string;
  readonly people: readonly { readonly userName: string; readonly nickName: string }[];
  /** Two people, given by their index in `people`, write by turns, one message every `everyMs` until now. All but the last `unread` are read. */
  readonly talks: readonly {
    readonly between: readonly [number, number];
    readonly texts: readonly string[];
    readonly count: number;
    readonly everyMs: number;
    readonly unread: number;
  }[];
  /** Groups without messages. The first member is the owner. */
  readonly groups: readonly { readonly name: string; readonly members: readonly number[] }[];
}

const BATCH = 2_000;

const folder = process.argv[2];
if (folder === undefined) throw new Error("usage: fill-conversations.ts <data directory>");
const { password, people, talks, groups } = JSON.parse(readFileSync(0, "utf8")) as Conversations;
const dataDir = resolve(folder);
mkdirSync(dataDir, { recursive: true });
const store = await openStore({
  url: join(dataDir, "parley.sqlite"),
  onFatal(error) {
    throw error;
  },
});

const passwordHash = await createPasswordHasher("low").hash(password);
const now = Date.now();
const users = await store.write(async (tx) => {
  const inserted = [];
  for (const person of people) {
    const user = await tx.insertUser({
      ...person,
      passwordHash,
      headImage: null,
      headImageThumb: null,
      registeredAt: now,
      registerDevice: null,
    });
    if (user === undefined) throw new Error(`the user name ${person.userName} is taken`);
    inserted.push(user);
  }
  return inserted;
});
const userAt = (index: number) => {
  const user = users[index];
  if (user === undefined) throw new Error(`there is no person ${index}`);
  return user;
};

for (const { between, texts, count, everyMs, unread } of talks) {
  const [a, b] = [userAt(between[0]), userAt(between[1])];
  await store.write(async (tx) => {
    await tx.upsertFriend(a.id, b.id);
    await tx.upsertFriend(b.id, a.id);
  });
  let readUpTo = -1;
  for (let start = 0; start < count; start += BATCH) {
    const size = Math.min(BATCH, count - start);
    const rows = await Promise.all(
      Array.from({ length: size }, (_, offset) => {
        const index = start + offset;
        const [from, to] = index % 2 === 0 ? [a, b] : [b, a];
        return store.appendPrivate({
          tmpId: null,
          type: MessageType.TEXT,
          sendId: from.id,
          recvId: to.id,
          sendNickName: from.nickName,
          content: `No ${index} ${texts[index % texts.length] ?? ""}`.trim(),
          sendTime: now - (count - index) * everyMs,
        });
      }),
    );
    readUpTo = rows[count - 1 - unread - start]?.row.id ?? readUpTo;
  }
  await store.write(async (tx) => {
    await tx.raisePrivateRead(a.id, b.id, readUpTo);
    await tx.raisePrivateRead(b.id, a.id, readUpTo);
  });
}
for (const { name, members } of groups) {
  await store.write(async (tx) => {
    const [owner = 0] = members;
    const group = await tx.insertGroup(newGroup(userAt(owner).id, { name, createdAt: now }));
    for (const person of members) {
      const role = person === owner ? GroupRole.OWNER : GroupRole.MEMBER;
      await tx.upsertGroupMember(group.id, userAt(person).id, role, now);
    }
  });
}
await store.close();
process.stdout.write(JSON.stringify(users.map((user) => user.id)));
