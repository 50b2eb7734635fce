/** Four people on a server: the state before a write, and what each of them sees afterwards. */
import type { ImageUpload } from "@parley/protocol/entities";
import type { GroupMessage, PrivateMessage } from "@parley/protocol/message";
import {
  type Device,
  TestPerson,
  befriend,
  registerPerson,
  makeGroup,
  sendText,
} from "@parley/server/testing/test-person";

const ROLES = ["ann", "bob", "cat", "dan"] as const;
/** One of the four people. */
export type Role = (typeof ROLES)[number];

/** Bob and cat are friends of ann and members of her group. Dan has no friends and no group. */
export interface Scenario extends Record<Role, TestPerson> {
  url: string;
  /** Different for each scenario. User names and tmpIds contain it. */
  tag: string;
  groupId: number;
  /** Message ids: `mine` is from ann, `theirs` from bob. */
  private: { mine: number; theirs: number };
  group: { mine: number; theirs: number };
  /** The session of ann's phone, if an operation has created one. */
  phoneSession?: string | undefined;
  /** The picture that ann has uploaded, if an operation needs one. */
  picture?: ImageUpload | undefined;
  /** The file that ann has uploaded, if an operation needs one. */
  fileUrl?: string;
}

/** Registers the four people and creates their friendships, group and messages. */
export async function createScenario(url: string, tag: string): Promise<Scenario> {
  const registerRole = (nickName: Role) =>
    registerPerson(url, { userName: `${nickName}${tag}`, nickName, clientId: `${nickName} at home` });
  const [ann, bob, cat, dan] = [
    await registerRole("ann"),
    await registerRole("bob"),
    await registerRole("cat"),
    await registerRole("dan"),
  ];
  await befriend(ann, bob);
  await befriend(ann, cat);
  const groupId = await makeGroup(ann, [bob, cat], "group");
  const sendInGroup = (from: TestPerson, content: string) =>
    from.ok("sendGroupMessage", { body: { groupId, type: 0, content, receipt: from === bob } });
  return {
    url,
    tag,
    ann,
    bob,
    cat,
    dan,
    groupId,
    private: {
      theirs: (await sendText(bob, ann, "from bob")).id,
      mine: (await sendText(ann, bob, "from ann")).id,
    },
    group: {
      theirs: (await sendInGroup(bob, "bob to all")).id,
      mine: (await sendInGroup(ann, "ann to all")).id,
    },
  };
}

/** The same people on another address. Their tokens stay valid after a restart. */
export function onServerUrl(scenario: Scenario, url: string): Scenario {
  const moved = ({ id, userName, tokens, device }: TestPerson) =>
    new TestPerson(url, id, userName, tokens, device);
  const people = ROLES.map((role) => [role, moved(scenario[role])]);
  return { ...scenario, url, ...(Object.fromEntries(people) as Record<Role, TestPerson>) };
}

/** The four people. */
export function peopleOf(scenario: Scenario): TestPerson[] {
  return ROLES.map((role) => scenario[role]);
}

/** Another client instance of ann's session. */
export const SECOND_CLIENT: NonNullable<Device["clientId"]> = "ann elsewhere";

/** Pulled messages. */
export interface Rows {
  private: PrivateMessage[];
  group: GroupMessage[];
}

/** All messages of a person above these ids; none if the person is no longer signed in. */
export async function pull(person: TestPerson, above = { private: 0, group: 0 }): Promise<Rows> {
  const own = await person.call("loadPrivateMessages", { query: { minId: above.private } });
  const groups = await person.call("loadGroupMessages", { query: { minId: above.group } });
  return {
    private: own.envelope.code === 200 ? own.envelope.data : [],
    group: groups.envelope.code === 200 ? groups.envelope.data : [],
  };
}

/** Everything that the four people see, without ids and times, so that scenarios can be compared. */
export async function viewOf(scenario: Scenario): Promise<string> {
  const names = new Map(ROLES.map((role) => [scenario[role].id, role as string]));
  const nameOf = (id: number) => names.get(id) ?? "somebody";
  const views = await Promise.all(ROLES.map((role) => viewOfOne(scenario[role], nameOf)));
  return JSON.stringify(views, undefined, 1)
    .replaceAll(scenario.tag, "")
    .replace(/\/files\/[0-9a-f]+/g, "/files/random");
}

type NameOf = (id: number) => string;

async function viewOfOne(person: TestPerson, nameOf: NameOf): Promise<unknown> {
  const self = await person.call("self");
  if (self.envelope.code !== 200) return { refused: self.envelope.key };
  const rows = await pull(person);
  const groups = await person.ok("listGroups");
  const friends = await person.ok("listFriends");
  const {
    next: _next,
    extrasNext: _extrasNext,
    ...changes
  } = await person.ok("loadChanges", {
    query: { extrasSince: 0 },
  });
  const indexes = {
    private: new Map(rows.private.map(({ id }, index) => [id, index])),
    group: new Map(rows.group.map(({ id }, index) => [id, index])),
  };
  // A read position as the number of visible rows up to it.
  const rowsUpTo = (ids: ReadonlyMap<number, number>, position: number) =>
    [...ids].filter(([id]) => id <= position).length;
  return {
    self: without(self.envelope.data, "id", "online", "headImage", "headImageThumb"),
    friends: friends.map((friend) => without(friend, "id", "online", "onlineWeb", "onlineApp")),
    sessions: (await person.ok("listSessions"))
      .map(({ terminal, current }) => `${terminal} ${current}`)
      .sort(),
    blocked: (await person.ok("listBlacklist")).map(({ id }) => nameOf(id)),
    friendRequests: (await person.ok("listFriendRequests")).map(({ sendId, recvId, remark, status }) => [
      nameOf(sendId),
      nameOf(recvId),
      remark,
      status,
    ]),
    groups: await Promise.all(
      groups.map(async (group) => ({
        ...without(group, "id", "ownerId", "stayFrom"),
        owner: nameOf(group.ownerId),
        stayFrom: rowsUpTo(indexes.group, group.stayFrom ?? 0),
        members: (await person.ok("listGroupMembers", { params: { id: group.id } })).map((member) => ({
          ...without(member, "userId", "online"),
          name: nameOf(member.userId),
        })),
      })),
    ),
    groupRequests: (await person.ok("listGroupRequests")).map(({ sendId, inviterId, remark, status }) => [
      nameOf(sendId),
      inviterId && nameOf(inviterId),
      remark,
      status,
    ]),
    private: rows.private.map((row) => [nameOf(row.sendId), nameOf(row.recvId), ...visibleFieldsOf(row)]),
    group: rows.group.map((row) => [
      nameOf(row.sendId),
      ...visibleFieldsOf(row),
      row.receipt,
      row.readedCount,
    ]),
    // Every field of the change feed, those that need more than `withoutIds` below.
    ...Object.fromEntries(
      Object.entries<readonly object[]>(changes).map(([field, list]) => [field, list.map(withoutIds)]),
    ),
    read: changes.read.map(({ type, targetId, mine, theirs }) => {
      const ids = type === "GROUP" ? indexes.group : indexes.private;
      const who = type === "PRIVATE" ? nameOf(targetId) : type;
      return [who, rowsUpTo(ids, mine), theirs > 0 && rowsUpTo(ids, theirs)];
    }),
    extras: changes.extras.map(({ type, extra: { v: _v, ...extra } }) => [
      type,
      extra.reactions?.map(({ key, count, first }) => [key, count, first.map(nameOf)]),
      extra.votes?.map(({ key, count, first }) => [key, count, first.map(nameOf)]),
      extra.mine,
      extra.pin && nameOf(extra.pin.by),
      extra.poll && [extra.poll.voters, extra.poll.options, extra.poll.closedAt !== undefined],
    ]),
    saved: changes.saved.map(({ saved }) => saved && [saved.type, saved.note, saved.tags]),
    purged: changes.purged.map(({ userId }) => nameOf(userId)),
    system: changes.system.map(({ type, content, status }) => [
      type,
      friendRequestIn(content, nameOf),
      status,
    ]),
  };
}

/** The fields of a change; lists by their lengths, and numbers, which may be ids, by whether there is one. */
function withoutIds(change: object): unknown[] {
  return Object.values(change).map((value: unknown) => {
    if (Array.isArray(value)) return value.length;
    return typeof value === "number" ? value > 0 : value;
  });
}

function visibleFieldsOf(row: PrivateMessage | GroupMessage): unknown[] {
  // The content of a recall is an id.
  const content = row.type === 10 ? "" : row.content;
  const quote = row.quoteMessage && [row.quoteMessage.content, row.quoteMessage.status];
  return [row.type, content, row.status, quote, row.isEdited, row.tip?.key];
}

function friendRequestIn(content: string, nameOf: NameOf): unknown {
  const { sendId, remark, status } = JSON.parse(content) as {
    sendId: number;
    remark: string;
    status: number;
  };
  return [nameOf(sendId), remark, status];
}

function without<T extends object>(value: T, ...keys: (keyof T)[]): Partial<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => !keys.includes(key as keyof T)),
  ) as Partial<T>;
}
