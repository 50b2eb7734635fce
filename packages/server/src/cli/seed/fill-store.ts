import { ChatType, MessageType, RequestStatus } from "@parley/protocol/codes";
import type { UserRow } from "../../ports/account-store.ts";
import type { NewPrivateMessage, PrivateRow } from "../../ports/private-message-store.ts";
import type { Store, Tx } from "../../ports/store.ts";
import { requestVO } from "../../presenters/person-presenter.ts";
import { tipSentence } from "../../presenters/tip-sentences.ts";
import { fillGroups } from "./fill-groups.ts";
import { DEMO_LOGINS } from "./seed-data.ts";
import { at, pairKey, type SeedPlan, type PlannedRequest } from "./seed-plan.ts";
import { type Language, writePrivateDemoChat } from "./demo-chats.ts";

/** Number of messages appended at the same time. */
const BATCH = 1_000;

/** How to fill the store. */
export interface FillOptions {
  language: Language;
  /** Hashes of the logins' passwords, in their order. */
  loginHashes: readonly string[];
  /** The password hash of everybody else, whose password nobody knows. */
  closedHash: string;
}

/** Whether nobody has ever registered in this store. */
export async function isEmpty(store: Store): Promise<boolean> {
  // Ids start at 1, and people are never removed.
  return (await store.findUser(1)) === undefined;
}

/** Writes the planned data into an empty store. */
export async function fillStore(store: Store, plan: SeedPlan, options: FillOptions): Promise<void> {
  const users = await store.write((tx) => insertPeople(tx, plan, options));
  await store.write((tx) => insertFriendships(tx, plan, users));
  const newest = await appendMessages(store, plan, users, options.language);
  await store.write((tx) => writeDemoChats(tx, plan, users, newest, options.language));
  await store.write((tx) => raiseReads(tx, plan, users, newest));
  await store.write((tx) => archiveOldest(tx, plan, users, newest));
  await store.write(async (tx) => {
    for (const request of plan.requests) await insertRequest(tx, request, users);
  });
  await fillGroups(store, plan, users, options.language);
}

async function insertPeople(
  tx: Tx,
  { people, startedAt }: SeedPlan,
  { loginHashes, closedHash }: FillOptions,
): Promise<UserRow[]> {
  const users: UserRow[] = [];
  for (const [index, person] of people.entries()) {
    const user = await tx.insertUser({
      userName: person.userName,
      nickName: person.nickName,
      passwordHash: loginHashes[index] ?? closedHash,
      headImage: null,
      headImageThumb: null,
      registeredAt: startedAt,
      registerDevice: null,
    });
    if (user === undefined) throw new Error(`the user name ${person.userName} is taken`);
    await tx.updateUser(user.id, { sex: person.sex, signature: person.signature, birthday: person.birthday });
    users.push(user);
  }
  return users;
}

async function insertFriendships(
  tx: Tx,
  { friendships }: SeedPlan,
  users: readonly UserRow[],
): Promise<void> {
  for (const [index, { asker, asked }] of friendships.entries()) {
    const [one, other] = [at(users, asker).id, at(users, asked).id];
    await tx.upsertFriend(one, other);
    await tx.upsertFriend(other, one);
    // A few pinned, muted and renamed friends, so that the lists show every state.
    if (index % 23 === 0) await tx.updateFriend(one, other, { isTop: true });
    if (index % 31 === 1) await tx.updateFriend(one, other, { msgRemind: 0 });
    if (index % 17 === 2)
      await tx.updateFriend(other, one, { remarkNickName: `${at(users, asker).nickName} ⭐`.slice(0, 20) });
  }
}

/** The newest message of a chat. */
interface Newest {
  id: number;
  sendId: number;
  /** The newest row before the last consecutive messages of one person. */
  beforeRun: number;
}

/**
 * Appends the first tips of all chats and all messages in order of time. Returns the newest row of each
 * chat.
 */
async function appendMessages(
  store: Store,
  plan: SeedPlan,
  users: readonly UserRow[],
  language: Language,
): Promise<Map<string, Newest>> {
  const content = tipSentence("friend.nowFriends", language);
  const tips = plan.friendships.map(({ asker, asked, since }): NewPrivateMessage => ({
    ...message(at(users, asked), at(users, asker), content, since),
    type: MessageType.TIP_TEXT,
    tip: { key: "friend.nowFriends", params: {} },
  }));
  tips.sort((a, b) => a.sendTime - b.sendTime);
  const conversation = plan.messages.map(({ from, to, text, at: time }) =>
    message(at(users, from), at(users, to), text, time),
  );
  const newest = new Map<string, Newest>();
  const newMessages = [...tips, ...conversation];
  for (let start = 0; start < newMessages.length; start += BATCH) {
    const appended = await Promise.all(
      newMessages.slice(start, start + BATCH).map((newMessage) => store.appendPrivate(newMessage)),
    );
    for (const { row } of appended) trackNewest(newest, row);
  }
  return newest;
}

/** Adds a demo chat with a message of every kind to the chat of each pair of logins. */
async function writeDemoChats(
  tx: Tx,
  plan: SeedPlan,
  users: readonly UserRow[],
  newest: Map<string, Newest>,
  language: Language,
): Promise<void> {
  const isLogin = (person: number) => person < DEMO_LOGINS.length;
  for (const { asker, asked } of plan.friendships) {
    if (!isLogin(asker) || !isLogin(asked)) continue;
    const chatLanguage = at(plan.people, asker).chatLanguage;
    const [one, other, guide] = [at(users, asker), at(users, asked), at(users, DEMO_LOGINS.length)];
    const chat = { asker: one, asked: other, guide, chatLanguage, now: plan.now, language };
    for (const row of await writePrivateDemoChat(tx, chat)) trackNewest(newest, row);
  }
}

function message(from: UserRow, to: UserRow, content: string, sendTime: number): NewPrivateMessage {
  return {
    tmpId: null,
    type: MessageType.TEXT,
    sendId: from.id,
    recvId: to.id,
    sendNickName: from.nickName,
    content,
    sendTime,
  };
}

function trackNewest(newest: Map<string, Newest>, { id, sendId, recvId }: PrivateRow): void {
  const key = pairKey(sendId, recvId);
  const before = newest.get(key);
  const beforeRun = before === undefined ? -1 : before.sendId === sendId ? before.beforeRun : before.id;
  newest.set(key, { id, sendId, beforeRun });
}

/**
 * Everybody has read everything, except people who are behind: they have not read the other's last consecutive messages.
 */
async function raiseReads(
  tx: Tx,
  { friendships }: SeedPlan,
  users: readonly UserRow[],
  newest: ReadonlyMap<string, Newest>,
): Promise<void> {
  for (const { asker, asked, isBehind } of friendships) {
    const [askerId, askedId] = [at(users, asker).id, at(users, asked).id];
    const newestRow = newest.get(pairKey(askerId, askedId));
    if (newestRow === undefined) continue;
    const positionOf = (reader: number, side: SeedPlan["friendships"][number]["isBehind"]) =>
      side === isBehind && newestRow.sendId !== reader ? newestRow.beforeRun : newestRow.id;
    await tx.raisePrivateRead(askerId, askedId, positionOf(askerId, "asker"));
    await tx.raisePrivateRead(askedId, askerId, positionOf(askedId, "asked"));
  }
}

/** Each login has archived the private chat with the oldest last message. */
async function archiveOldest(
  tx: Tx,
  { friendships }: SeedPlan,
  users: readonly UserRow[],
  newest: ReadonlyMap<string, Newest>,
): Promise<void> {
  for (const person of DEMO_LOGINS.keys()) {
    const me = at(users, person).id;
    const chats = friendships
      .filter(({ asker, asked }) => asker === person || asked === person)
      .map(({ asker, asked }) => {
        const targetId = at(users, asker === person ? asked : asker).id;
        return { targetId, archived: newest.get(pairKey(me, targetId))?.id ?? -1 };
      });
    const [oldest] = chats.toSorted((a, b) => a.archived - b.archived);
    if (oldest === undefined) continue;
    const { targetId, archived } = oldest;
    await tx.setChatPrefs(me, { type: ChatType.PRIVATE, targetId }, { archived });
  }
}

async function insertRequest(tx: Tx, planned: PlannedRequest, users: readonly UserRow[]): Promise<void> {
  const [sender, receiver] = [at(users, planned.from), at(users, planned.to)];
  const request = await tx.insertRequest({
    sendId: sender.id,
    recvId: receiver.id,
    remark: planned.remark,
    status: planned.isRejected ? RequestStatus.REJECTED : RequestStatus.PENDING,
    applyTime: planned.at,
  });
  const { seqNo } = await tx.appendSystem({
    userId: receiver.id,
    type: MessageType.FRIEND_APPLY,
    title: null,
    intro: null,
    coverUrl: null,
    content: JSON.stringify(requestVO(request, sender, receiver)),
    sendTime: planned.at,
    requestId: request.id,
  });
  if (planned.isRejected) await tx.raiseSystemRead(receiver.id, seqNo);
}
