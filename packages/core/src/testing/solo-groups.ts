import { GROUP, groupRequestVO, groupRow, groupVO, ME, memberVO } from "./builders.ts";
import { clockOf } from "./fake-ports.ts";
import { loggedIn, type Solo } from "./logged-in.ts";
import { settle } from "./settle.ts";

/** One client in the group number 5, whose server is the test. */

/** What this client knows of groups. */
export const groups = (solo: Solo) => solo.client.getState().groups;
export const group = (solo: Solo, id = GROUP) => groups(solo).byId[id];
/** 90. */
export const shown = (part: object = {}) => {
  const vo = groupVO(part);
  return { cmd: 4, data: { type: 90, groupId: vo.id, content: JSON.stringify(vo) } };
};
/** 91. */
export const out = { cmd: 4, data: { type: 91, groupId: GROUP, content: "" } };
/** 75 to 77. */
export const request = (type: number, part: object = {}) => {
  const vo = groupRequestVO(part);
  return {
    cmd: 3,
    data: { type, sendId: vo.sendId, groupId: vo.groupId, content: JSON.stringify(vo) },
  };
};
/** A tip of the group, as a row. */
export const tip = (id: number) => ({
  cmd: 4,
  data: groupRow({ id, type: 21, content: "muted", tip: { key: "group.muted", params: {} } }),
});

export async function pass(solo: Solo, ms: number): Promise<void> {
  await settle();
  clockOf(solo.ports).advance(ms);
  await settle();
}

/** In the group, and nothing under way. */
export async function inGroup(part: object = {}): Promise<Solo> {
  const solo = await loggedIn();
  await solo.push(shown(part));
  await pass(solo, 2_000);
  for (const url of solo.waiting()) {
    if (url === "/group/request/list") await solo.reply(url, []);
    if (url === `/group/find/${GROUP}`) await solo.reply(url, groupVO(part));
  }
  return solo;
}

/** Likewise, with a list of three members. */
export async function withMembers(part: object = {}): Promise<Solo> {
  const solo = await inGroup(part);
  void solo.client.groups.loadMembers(GROUP);
  await solo.reply(`/group/members/${GROUP}`, [
    memberVO({ userId: ME }),
    memberVO({ userId: 11 }),
    memberVO({ userId: 12 }),
  ]);
  return solo;
}

/** How many requests wait whose url holds this. */
export const asksFor = (solo: Solo, part: string) =>
  solo.waiting().filter((url) => url.includes(part)).length;
