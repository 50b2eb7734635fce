import { GROUP, groupRequestVO, groupRow, groupVO, ME, memberVO } from "./builders.ts";
import { clockOf } from "./fake-ports.ts";
import { createLoggedInClient, type SingleClient } from "./single-client.ts";
import { flushMicrotasks } from "./flush-microtasks.ts";

/** One client in the group number 5, whose server is the test. */

/** What this client knows of groups. */
export const groupsOf = (single: SingleClient) => single.client.getState().groups;
export const groupOf = (single: SingleClient, id = GROUP) => groupsOf(single).byId[id];
/** 90. */
export const groupPush = (part: object = {}) => {
  const vo = groupVO(part);
  return { cmd: 4, data: { type: 90, groupId: vo.id, content: JSON.stringify(vo) } };
};
/** 91. */
export const groupLeftPush = { cmd: 4, data: { type: 91, groupId: GROUP, content: "" } };
/** 75 to 77. */
export const groupRequestPush = (type: number, part: object = {}) => {
  const vo = groupRequestVO(part);
  return {
    cmd: 3,
    data: { type, sendId: vo.sendId, groupId: vo.groupId, content: JSON.stringify(vo) },
  };
};
/** A tip of the group, as a row. */
export const mutedTipPush = (id: number) => ({
  cmd: 4,
  data: groupRow({ id, type: 21, content: "muted", tip: { key: "group.muted", params: {} } }),
});

export async function advanceTime(single: SingleClient, ms: number): Promise<void> {
  await flushMicrotasks();
  clockOf(single.ports).advance(ms);
  await flushMicrotasks();
}

/** In the group, and nothing under way. */
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

/** Likewise, with a list of three members. */
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

/** How many requests wait whose url holds this. */
export const pendingRequestCount = (single: SingleClient, part: string) =>
  single.waiting().filter((url) => url.includes(part)).length;
