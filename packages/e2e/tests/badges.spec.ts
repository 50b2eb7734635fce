import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { befriend, createAccount, sendText } from "../src/api.ts";
import { expectTruth, recordBadges, zerosOf } from "../src/badges.ts";
import { expect, test } from "../src/fixtures.ts";
import { createGroup, sayInGroup } from "../src/groups.ts";
import { Line } from "../src/line.ts";
import type { Person } from "../src/person.ts";

const STEPS = 120;
const SEED = 20_261_121;

/** Numbers from 0 up to 1 that are the same in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** One of the two browsers, and what only it knows. */
interface Device {
  readonly person: Person;
  readonly line: Line;
  /** Chats marked as unread here, by key. */
  readonly marks: Set<string>;
}

/** A chat that others write into. */
interface Talk {
  readonly key: string;
  readonly name: string;
  /** The items of its menu that silence it, and let it alert again. */
  readonly mutes: readonly string[];
  /** Answers the id. */
  say(text: string): Promise<number>;
  recall(id: number): Promise<unknown>;
}

test("row 15: badges of two browsers tell what the server says, through a walk of everything that changes them", async ({
  friends,
  cast,
  server,
  sit,
}) => {
  test.slow();
  const owen = cast.other("owen");
  const me = friends.bo;
  const other = await createAccount(server.url, owen.userName, owen.nickName);
  await befriend(other, me);
  const group = await createGroup(friends.lin, `三个人 ${cast.lin.userName}`, [me]);
  const talks: readonly Talk[] = [
    ...[friends.lin, other].map((friend) => ({
      key: `PRIVATE:${friend.id}`,
      name: friend.nickName,
      mutes: ["chatMenu.mute", "chatMenu.unmute"],
      say: (text: string) => sendText(friend, me, text),
      recall: (id: number) => friend.call(ENDPOINTS.recallPrivateMessage, { params: { id } }),
    })),
    {
      key: `GROUP:${group.id}`,
      name: group.name,
      mutes: [],
      say: (text) => sayInGroup(friends.lin, group.id, text),
      recall: (id) => friends.lin.call(ENDPOINTS.recallGroupMessage, { params: { id } }),
    },
  ];

  const enter = async (): Promise<Device> => {
    const person = await sit({ ...cast.bo, device: "walk", viewport: { width: 1280, height: 1600 } });
    await recordBadges(person);
    const line = await Line.lay(person);
    await person.open();
    await person.logIn();
    return { person, line, marks: new Set() };
  };
  const devices = [await enter(), await enter()] as const;
  const sent = new Map<Talk, number[]>(talks.map((talk) => [talk, []]));
  const next = numbers(SEED);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;

  const send = async (talk: Talk, count: number) => {
    const ids = sent.get(talk) ?? [];
    for (let i = 0; i < count; i++) ids.push(await talk.say(`number ${ids.length}`));
  };
  for (const talk of talks) await send(talk, 1);
  const menu = async ({ person }: Device, talk: Talk, ...items: string[]): Promise<string | null> => {
    const row = person.row(talk.name);
    // Deleted here, and nothing new since.
    if ((await row.count()) === 0) return null;
    await row.click({ button: "right" });
    const shown = person.page.getByRole("menuitem", {
      name: new RegExp(items.map((id) => person.t(id)).join("|")),
    });
    const name = await shown.textContent();
    await shown.click();
    await expect(person.page.getByRole("menu")).toHaveCount(0);
    return items.find((id) => name?.startsWith(person.t(id))) ?? null;
  };
  const read = async ({ person, marks }: Device, talk: Talk) => {
    if ((await person.row(talk.name).count()) === 0) return;
    await person.openChat(talk.name);
    marks.delete(talk.key);
    await expect(person.row(talk.name).locator("[data-badge]")).toHaveCount(0);
    await person.link("nav.chats").click();
    await expect(person.page.getByRole("log")).toHaveCount(0);
  };

  for (let step = 0; step < STEPS; step++) {
    const talk = pick(talks);
    const device = pick(devices);
    const kind = pick([
      "send",
      "send",
      "send",
      "burst",
      "read",
      "mute",
      "recall",
      "delete",
      "mark",
      "mark",
      "cut",
    ]);
    await test.step(`${step}: ${kind}`, async () => {
      if (kind === "send") await send(talk, 1);
      else if (kind === "burst") await send(talk, 4);
      else if (kind === "read") await read(device, talk);
      else if (kind === "mute") {
        if (talk.mutes.length > 0) await menu(device, talk, ...talk.mutes);
      } else if (kind === "recall") {
        const id = sent.get(talk)?.pop();
        if (id !== undefined) await talk.recall(id);
      } else if (kind === "delete") {
        if ((await menu(device, talk, "chatMenu.delete")) === null) return;
        await device.person
          .dialog()
          .getByRole("button", { name: device.person.t("chatMenu.deleteConfirm") })
          .click();
        device.marks.delete(talk.key);
      } else if (kind === "mark") {
        const done = await menu(device, talk, "chatMenu.markRead", "chatMenu.markUnread");
        if (done === "chatMenu.markUnread") device.marks.add(talk.key);
        else if (done === "chatMenu.markRead") device.marks.delete(talk.key);
      } else {
        await device.line.cutSocket();
        await send(talk, 2);
        await device.line.mend();
        await device.person.retryNow();
      }
      await expectTruth(me, devices);
    });
  }
  for (const { person } of devices) expect(await zerosOf(person)).toEqual([]);
});
