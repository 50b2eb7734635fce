import { GROUP, groupRequestVO, groupRow, groupVO, ME, memberVO } from "./builders.ts";
import { advanceTime, createLoggedInClient, type SingleClient } from "./single-client.ts";

/** Helpers for tests with a client in group 5, whose server is the test. */

/** The group state of the client. */
export const groupsOf = (single: SingleClient) => single.client.getState().groups;
export const groupOf = (single: SingleClient, id = GROUP) => groupsOf(single).byId[id];
/** Push 90: a group is new or has changed. */
export const groupPush = (part: object = {}) => {
  const vo = groupVO(part);
  return { cmd: 4, data: { type: 90, groupId: vo.id, content: JSON.stringify(vo) } };
};
/** Push 91: the user is no longer in the group. */
export const groupLeftPush = { cmd: 4, data: { type: 91, groupId: GROUP, content: "" } };
/** Pushes 75 to 77: a request to join the group. */
export const groupRequestPush = (type: number, part: object = {}) => {
  const vo = groupRequestVO(part);
  return {
    cmd: 3,
    data: { type, sendId: vo.sendId, groupId: vo.groupId, content: JSON.stringify(vo) },
  };
};
/** A pushed tip of the group about a muted member. */
export const mutedTipPush = (id: number) => ({
  cmd: 4,
  data: groupRow({ id, type: 21, content: "muted", tip: { key: "group.muted", params: {} } }),
});

/** Creates a client in the group, without pending requests about it. */
export async function createClientInGroup(part: object = {}): Promise<SingleClient> {
  const single = await createLoggedInClient();
  await single.push(groupPush(part));
  await advanceTime(single, 2_000);
  for (const url of single.waiting()) {
    if (url === "/group/request/list") await single.respond(url, []);
    if (url === `/group/find/${GROUP}`) await single.respond(url, groupVO(part));
  }
  return single;
}

/** Creates a client in the group that has loaded three members. */
export async function createClientWithMembers(part: object = {}): Promise<SingleClient> {
  const single = await createClientInGroup(part);
  void single.client.groups.loadMembers(GROUP);
  await single.respond(`/group/members/${GROUP}`, [
    memberVO({ userId: ME }),
    memberVO({ userId: 11 }),
    memberVO({ userId: 12 }),
  ]);
  return single;
}

/** How many waiting requests have a url that contains `part`. */
export const pendingRequestCount = (single: SingleClient, part: string) =>
  single.waiting().filter((url) => url.includes(part)).length;
