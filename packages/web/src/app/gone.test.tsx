// What screens make of a group one has left and of somebody who is no friend any more.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { FRIEND, friendVO, GROUP, ME, memberVO } from "@parley/core/testing/builders";
import { loggedIn, pass, type Solo } from "@parley/core/testing/logged-in";
import { shown } from "@parley/core/testing/solo-groups";
import { usePeople } from "../features/chat/dialogs/use-people.ts";
import { useCandidates } from "../features/chat/mention/use-candidates.ts";
import { useFoundFriends } from "../features/contacts/use-found-friends.ts";
import { useFoundGroups } from "../features/groups/use-found-groups.ts";
import { useStanding } from "../features/groups/use-standing.ts";
import { useMay } from "../features/groups/use-verdict.ts";
import { useChatLook } from "../kit/chat-name.ts";
import { useGroup } from "../kit/groups.ts";
import { usePerson } from "../kit/people.ts";
import { ClientProvider } from "../kit/use-client.ts";

const [LEFT, DISSOLVED] = [6, 7];
const FORMER = 3;

/** What a hook says in a screen of this client. */
function say<T>({ client }: Solo, hook: () => T): T {
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
async function known(): Promise<Solo> {
  const solo = await loggedIn();
  await solo.push(
    friend({ id: FRIEND, showNickName: "Bo" }),
    friend({ id: FORMER, showNickName: "Cy", isDeleted: true, deleted: true }),
    shown({ id: GROUP, name: "Here", showGroupName: "Here" }),
    shown({ id: LEFT, name: "Left", showGroupName: "Left", quit: true }),
    shown({ id: DISSOLVED, name: "Over", showGroupName: "Over", dissolve: true }),
  );
  await pass(solo, 30_000);
  await solo.reply("/terminal/online", [
    { userId: FRIEND, terminals: [2] },
    { userId: FORMER, terminals: [2] },
  ]);
  return solo;
}

test("a group one has left, or that is dissolved, is gone: nothing can be done there", async () => {
  const solo = await known();
  const of = (id: number) => ({
    isGone: say(solo, () => useGroup(id)).isGone,
    standing: say(solo, () => useStanding(id)),
    maySpeak: say(solo, () => useMay(id, "speak")),
    mayInvite: say(solo, () => useMay(id, "invite")),
  });
  expect(of(GROUP)).toEqual({ isGone: false, standing: "member", maySpeak: true, mayInvite: true });
  for (const id of [LEFT, DISSOLVED]) {
    expect(of(id)).toEqual({ isGone: true, standing: "stranger", maySpeak: false, mayInvite: false });
  }
  // It keeps its name, and nobody takes an unknown one for gone.
  expect(say(solo, () => useGroup(LEFT)).name).toBe("Left");
  expect(say(solo, () => useChatLook("GROUP:6"))).toMatchObject({ name: "Left", shape: "rounded" });
  expect(of(99)).toEqual({ isGone: false, standing: "stranger", maySpeak: false, mayInvite: false });
});

test("a former friend is called as before, but is no friend and never shown online", async () => {
  const solo = await known();
  const of = (id: number) => say(solo, () => usePerson(id));
  expect(of(FRIEND)).toMatchObject({ name: "Bo", relation: "friend", isOnline: true });
  expect(of(FORMER)).toMatchObject({ name: "Cy", relation: "ended", isOnline: false });
  expect(of(ME)).toMatchObject({ relation: "me" });
  expect(of(99)).toMatchObject({ relation: "stranger", isOnline: false });
});

test("neither stands where people are chosen to send to, or in the lists of friends and groups", async () => {
  const solo = await known();
  const receivers = { first: ["GROUP:6", "PRIVATE:3", "PRIVATE:2"] as const, hasGroups: true };
  expect(say(solo, () => usePeople("", receivers))).toEqual(["PRIVATE:2", "GROUP:5", "PRIVATE:1"]);
  const { online, others } = say(solo, () => useFoundFriends(""));
  expect([...online, ...others.flatMap(({ ids }) => ids)]).toEqual([FRIEND]);
  const { managed, joined } = say(solo, () => useFoundGroups(""));
  expect([...managed, ...joined]).toEqual([GROUP]);
});

test("who has left a group is not offered to be named there", async () => {
  const solo = await known();
  void solo.client.groups.loadMembers(GROUP);
  await solo.reply(`/group/members/${GROUP}`, [
    memberVO({ userId: ME }),
    memberVO({ userId: 11, showNickName: "In" }),
    memberVO({ userId: 12, showNickName: "Out", quit: true }),
  ]);
  const { all, state } = say(solo, () => useCandidates(GROUP));
  expect([all.map(({ userId }) => userId), state]).toEqual([[11], "loaded"]);
});
