// What screens make of a group one has left and of somebody who is no friend any more.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { FRIEND, friendVO, GROUP, ME, memberVO } from "@parley/core/testing/builders";
import { createLoggedInClient, advanceTime, type SingleClient } from "@parley/core/testing/single-client";
import { groupPush } from "@parley/core/testing/single-client-groups";
import { useRecipients } from "../features/chat/message/use-recipients.ts";
import { useMentionCandidates } from "../features/chat/composer/mentions/use-mention-candidates.ts";
import { useFoundFriends } from "../features/contacts/use-found-friends.ts";
import { useFoundGroups } from "../features/groups/use-found-groups.ts";
import { useGroupMembership } from "../features/groups/use-group-membership.ts";
import { useGroupPermission } from "../features/groups/use-group-permission.ts";
import { useChatAppearance } from "../kit/chat-name.ts";
import { useGroup } from "../kit/group.ts";
import { usePerson } from "../kit/person.ts";
import { ClientProvider } from "../kit/use-client.ts";

const [LEFT, DISSOLVED] = [6, 7];
const FORMER = 3;

/** What a hook says in a screen of this client. */
function say<T>({ client }: SingleClient, hook: () => T): T {
  let said: { value: T } | undefined;
  const Screen = () => {
    said = { value: hook() };
    return null;
  };
  renderToStaticMarkup(
    <ClientProvider value={client}>
      <Screen />
    </ClientProvider>,
  );
  if (said === undefined) throw new Error("nothing was drawn");
  return said.value;
}

const friend = (part: object) => {
  const vo = friendVO(part);
  return { cmd: 3, data: { type: 80, sendId: vo.id, recvId: ME, content: JSON.stringify(vo) } };
};

/** One friend and one who was; one group, one that was left, one that is dissolved. All of them are "online". */
async function known(): Promise<SingleClient> {
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

test("a group that the user left or that was dissolved offers no actions", async () => {
  const single = await known();
  const of = (id: number) => ({
    isGone: say(single, () => useGroup(id)).isGone,
    standing: say(single, () => useGroupMembership(id)),
    maySpeak: say(single, () => useGroupPermission(id, "speak")),
    mayInvite: say(single, () => useGroupPermission(id, "invite")),
  });
  expect(of(GROUP)).toEqual({ isGone: false, standing: "member", maySpeak: true, mayInvite: true });
  for (const id of [LEFT, DISSOLVED]) {
    expect(of(id)).toEqual({ isGone: true, standing: "stranger", maySpeak: false, mayInvite: false });
  }
  // It keeps its name, and nobody takes an unknown one for gone.
  expect(say(single, () => useGroup(LEFT)).name).toBe("Left");
  expect(say(single, () => useChatAppearance("GROUP:6"))).toMatchObject({ name: "Left", shape: "rounded" });
  expect(of(99)).toEqual({ isGone: false, standing: "stranger", maySpeak: false, mayInvite: false });
});

test("a former friend keeps the name, is not a friend and is never shown online", async () => {
  const single = await known();
  const of = (id: number) => say(single, () => usePerson(id));
  expect(of(FRIEND)).toMatchObject({ name: "Bo", relation: "friend", isOnline: true });
  expect(of(FORMER)).toMatchObject({ name: "Cy", relation: "ended", isOnline: false });
  expect(of(ME)).toMatchObject({ relation: "me" });
  expect(of(99)).toMatchObject({ relation: "stranger", isOnline: false });
});

test("former friends and left groups are not among the recipients or in the lists of friends and groups", async () => {
  const single = await known();
  const receivers = { first: ["GROUP:6", "PRIVATE:3", "PRIVATE:2"] as const, hasGroups: true };
  expect(say(single, () => useRecipients("", receivers))).toEqual(["PRIVATE:2", "GROUP:5", "PRIVATE:1"]);
  const { online, others } = say(single, () => useFoundFriends(""));
  expect([...online, ...others.flatMap(({ ids }) => ids)]).toEqual([FRIEND]);
  const { managed, joined } = say(single, () => useFoundGroups(""));
  expect([...managed, ...joined]).toEqual([GROUP]);
});

test("a former member is not offered as a mention candidate", async () => {
  const single = await known();
  void single.client.groups.loadMembers(GROUP);
  await single.respond(`/group/members/${GROUP}`, [
    memberVO({ userId: ME }),
    memberVO({ userId: 11, showNickName: "In" }),
    memberVO({ userId: 12, showNickName: "Out", quit: true }),
  ]);
  const { all, state } = say(single, () => useMentionCandidates(GROUP));
  expect([all.map(({ userId }) => userId), state]).toEqual([[11], "loaded"]);
});
