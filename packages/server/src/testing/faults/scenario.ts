/** Four people on a server that will be killed: what they have before a write, and what each of them sees. */
import type { GroupMessage, PrivateMessage } from "@parley/protocol/message";
import { type Device, TestPerson, befriend, registerPerson, makeGroup, sendText } from "../test-person.ts";

const ROLES = ["ann", "bob", "cat", "dan"] as const;
type Role = (typeof ROLES)[number];

/** Ann, bob and cat are friends through ann, and in a group of hers; dan knows nobody. */
export interface Scenario extends Record<Role, TestPerson> {
  url: string;
  /** Of its own to each scene: user names and tmpIds are made of it. */
  tag: string;
  groupId: number;
  /** Ids of messages: `mine` are ann's, `theirs` bob's. */
  private: { mine: number; theirs: number };
  group: { mine: number; theirs: number };
  /** The session of ann's phone, where an operation has one. */
  phoneSession?: string | undefined;
}

export async function createScenario(url: string, tag: string): Promise<Scenario> {
  const come = (nickName: Role) =>
    registerPerson(url, { userName: `${nickName}${tag}`, nickName, clientId: `${nickName} at home` });
  const [ann, bob, cat, dan] = [await come("ann"), await come("bob"), await come("cat"), await come("dan")];
  await befriend(ann, bob);
  await befriend(ann, cat);
  const groupId = await makeGroup(ann, [bob, cat], "group");
  const inGroup = (from: TestPerson, content: string) =>
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
    group: { theirs: (await inGroup(bob, "bob to all")).id, mine: (await inGroup(ann, "ann to all")).id },
  };
}

/** The same people at another address: tokens outlive the process. */
export function onServerUrl(scenario: Scenario, url: string): Scenario {
  const moved = ({ id, userName, tokens, device }: TestPerson) =>
    new TestPerson(url, id, userName, tokens, device);
  const people = ROLES.map((role) => [role, moved(scenario[role])]);
  return { ...scenario, url, ...(Object.fromEntries(people) as Record<Role, TestPerson>) };
}

export function peopleOf(scenario: Scenario): TestPerson[] {
  return ROLES.map((role) => scenario[role]);
}

/** Another window of the same login. */
export const SECOND_CLIENT: NonNullable<Device["clientId"]> = "ann elsewhere";

export interface Rows {
  private: PrivateMessage[];
  group: GroupMessage[];
}

/** All messages above these ids; none for somebody who is not let in any more. */
export async function pull(person: TestPerson, above = { private: 0, group: 0 }): Promise<Rows> {
  const own = await person.call("loadPrivateMessages", { query: { minId: above.private } });
  const groups = await person.call("loadGroupMessages", { query: { minId: above.group } });
  return {
    private: own.envelope.code === 200 ? own.envelope.data : [],
    group: groups.envelope.code === 200 ? groups.envelope.data : [],
  };
}

/** All that the four see, in words that are the same in every scene: no ids, no times. */
export async function viewOf(scenario: Scenario): Promise<string> {
  const names = new Map(ROLES.map((role) => [scenario[role].id, role as string]));
  const nameOf = (id: number) => names.get(id) ?? "somebody";
  const views = await Promise.all(ROLES.map((role) => viewOfOne(scenario[role], nameOf)));
  return JSON.stringify(views, undefined, 1).replaceAll(scenario.tag, "");
}

type NameOf = (id: number) => string;

async function viewOfOne(person: TestPerson, nameOf: NameOf): Promise<unknown> {
  const self = await person.call("self");
  if (self.envelope.code !== 200) return { refused: self.envelope.key };
  const rows = await pull(person);
  const groups = await person.ok("listGroups");
  const friends = await person.ok("listFriends");
  const changes = await person.ok("loadChanges", { query: {} });
  const places = {
    private: new Map(rows.private.map(({ id }, place) => [id, place])),
    group: new Map(rows.group.map(({ id }, place) => [id, place])),
  };
  // Where a position stands among the rows that are seen; one of a row that is gone stands below the next.
  const placeOf = (ids: ReadonlyMap<number, number>, position: number) =>
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
        stayFrom: placeOf(places.group, group.stayFrom ?? 0),
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
    private: rows.private.map((row) => [nameOf(row.sendId), nameOf(row.recvId), ...words(row)]),
    group: rows.group.map((row) => [nameOf(row.sendId), ...words(row), row.receipt, row.readedCount]),
    read: changes.read.map(({ type, targetId, mine, theirs }) => {
      const ids = type === "GROUP" ? places.group : places.private;
      const who = type === "PRIVATE" ? nameOf(targetId) : type;
      return [who, placeOf(ids, mine), theirs > 0 && placeOf(ids, theirs)];
    }),
    hidden: changes.hidden.map(({ type, ids }) => [type, ids.length]),
    cleared: changes.cleared.map(({ type, upTo }) => [type, upTo > 0]),
    purged: changes.purged.map(({ userId }) => nameOf(userId)),
    system: changes.system.map(({ type, content, status }) => [type, requestIn(content, nameOf), status]),
  };
}

function words(row: PrivateMessage | GroupMessage): unknown[] {
  // A recall names the row that it takes back by its id.
  const content = row.type === 10 ? "" : row.content;
  const quote = row.quoteMessage && [row.quoteMessage.content, row.quoteMessage.status];
  return [row.type, content, row.status, quote, row.isEdited, row.tip?.key];
}

function requestIn(content: string, nameOf: NameOf): unknown {
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
