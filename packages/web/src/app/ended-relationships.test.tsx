// What screens show of a group that the user has left and of a former friend.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { FRIEND, friendVO, GROUP, ME, memberVO } from "@parley/core/testing/builders";
import { createLoggedInClient, advanceTime, type SingleClient } from "@parley/core/testing/single-client";
import { groupPush } from "@parley/core/testing/single-client-groups";
import { useRecipients } from "../features/chat/message/recipient-picker.tsx";
import { useMentionCandidates } from "../features/chat/composer/mentions/mention-candidates.ts";
import { useFoundFriends } from "../features/contacts/friend-list.tsx";
import { useFoundGroups } from "../features/groups/group-list.tsx";
import { useGroupMembership, useGroupPermission } from "../features/groups/use-group-membership.ts";
import { useChatAppearance } from "../kit/chats/chat-name.ts";
import { useGroup } from "../kit/chats/group.ts";
import { usePerson } from "../kit/people/person.ts";
import { ClientProvider } from "../kit/loading/use-client.ts";

const [LEFT, DISSOLVED] = [6, 7];
const FORMER = 3;

/** Renders a hook in a screen of this client and returns its value. */
function renderHook<T>({ client }: SingleClient, hook: () => T): T {
  let result: { value: T } | undefined;
  const Screen = () => {
    result = { value: hook() };
    return null;
  };
  renderToStaticMarkup(
    <ClientProvider value={client}>
      <Screen />
    </ClientProvider>,
  );
  if (result === undefined) throw new Error("the hook was not rendered");
  return result.value;
}

const friend = (part: object) => {
  const vo = friendVO(part);
  return { cmd: 3, data: { type: 80, sendId: vo.id, recvId: ME, content: JSON.stringify(vo) } };
};

/** A client with a friend, a former friend, a group, a group that the user left and a dissolved group. Both people are online. */
async function createClientWithFormerContacts(): Promise<SingleClient> {
  const single = await createLoggedInClient();
  await single.push(
    friend({ id: FRIEND, showNickName: "Bo" }),
    friend({ id: FORMER, showNickName: "Cy", isDeleted: true, deleted: true }),
    groupPush({ id: GROUP, name: "Here", showGroupName: "Here" }),
    groupPush({ id: LEFT, name: "Left", showGroupName: "Left", quit: true }),
    groupPush({ id: DISSOLVED, name: "Over", showGroupName: "Over", dissolve: true }),
  );
  await advanceTime(single, 30_000);
  await single.respond("/terminal/online", [
    { userId: FRIEND, terminals: [2] },
    { userId: FORMER, terminals: [2] },
  ]);
  return single;
}

test("G2 a group that the user left or that was dissolved offers no actions", async () => {
  const single = await createClientWithFormerContacts();
  const viewOf = (id: number) => ({
    isGone: renderHook(single, () => useGroup(id)).isGone,
    membership: renderHook(single, () => useGroupMembership(id)),
    canSpeak: renderHook(single, () => useGroupPermission(id, "speak")),
    canInvite: renderHook(single, () => useGroupPermission(id, "invite")),
  });
  expect(viewOf(GROUP)).toEqual({ isGone: false, membership: "member", canSpeak: true, canInvite: true });
  for (const id of [LEFT, DISSOLVED]) {
    expect(viewOf(id)).toEqual({ isGone: true, membership: "stranger", canSpeak: false, canInvite: false });
  }
  // A former group keeps its name, and an unknown group does not count as a former one.
  expect(renderHook(single, () => useGroup(LEFT)).name).toBe("Left");
  expect(renderHook(single, () => useChatAppearance("GROUP:6"))).toMatchObject({
    name: "Left",
    shape: "rounded",
  });
  expect(viewOf(99)).toEqual({ isGone: false, membership: "stranger", canSpeak: false, canInvite: false });
});

test("a former friend keeps the name, is not a friend and is never shown online", async () => {
  const single = await createClientWithFormerContacts();
  const personOf = (id: number) => renderHook(single, () => usePerson(id));
  expect(personOf(FRIEND)).toMatchObject({ name: "Bo", relation: "friend", isOnline: true });
  expect(personOf(FORMER)).toMatchObject({ name: "Cy", relation: "ended", isOnline: false });
  expect(personOf(ME)).toMatchObject({ relation: "me" });
  expect(personOf(99)).toMatchObject({ relation: "stranger", isOnline: false });
});

test("former friends and groups are neither possible recipients nor in the lists of friends and groups", async () => {
  const single = await createClientWithFormerContacts();
  const recipients = { first: ["GROUP:6", "PRIVATE:3", "PRIVATE:2"] as const, hasGroups: true };
  expect(renderHook(single, () => useRecipients("", recipients))).toEqual([
    "PRIVATE:2",
    "GROUP:5",
    "PRIVATE:1",
  ]);
  const { online, others } = renderHook(single, () => useFoundFriends(""));
  expect([...online, ...others.flatMap(({ ids }) => ids)]).toEqual([FRIEND]);
  const { managed, joined } = renderHook(single, () => useFoundGroups(""));
  expect([...managed, ...joined]).toEqual([GROUP]);
});

test("a former member is not offered as a mention candidate", async () => {
  const single = await createClientWithFormerContacts();
  void single.client.groups.loadMembers(GROUP);
  await single.respond(`/group/members/${GROUP}`, [
    memberVO({ userId: ME }),
    memberVO({ userId: 11, showNickName: "In" }),
    memberVO({ userId: 12, showNickName: "Out", quit: true }),
  ]);
  const { all, state } = renderHook(single, () => useMentionCandidates(GROUP));
  expect([all.map(({ userId }) => userId), state]).toEqual([[11], "loaded"]);
});
