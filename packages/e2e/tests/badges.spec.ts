import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { befriend, createAccount, sendText } from "../src/api.ts";
import { expectBadgesMatchServer, recordBadges, shownZeros } from "../src/unread-badges.ts";
import { expect, test } from "../src/fixtures.ts";
import { createGroup, sendToGroup } from "../src/groups.ts";
import { Network } from "../src/network.ts";
import type { Person } from "../src/person.ts";

const STEPS = 120;
const SEED = 20_261_121;

/** Numbers from 0 up to 1 that are the same in each run. */
function seededNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** One of the two browsers, and what only it knows. */
interface Device {
  readonly person: Person;
  readonly network: Network;
  /** Chats marked as unread here, by key. */
  readonly marks: Set<string>;
}

/** A chat that others write into. */
interface TestChat {
  readonly key: string;
  readonly name: string;
  /** The items of its menu that silence it, and let it alert again. */
  readonly mutes: readonly string[];
  /** Answers the id. */
  say(text: string): Promise<number>;
  recall(id: number): Promise<unknown>;
}

test("row 15: badges of two browsers match the server through a randomised run of all actions that change them", async ({
  friends,
  cast,
  server,
  openBrowser,
}) => {
  test.slow();
  const owen = cast.other("owen");
  const me = friends.bo;
  const other = await createAccount(server.url, owen.userName, owen.nickName);
  await befriend(other, me);
  const group = await createGroup(friends.lin, `三个人 ${cast.lin.userName}`, [me]);
  const talks: readonly TestChat[] = [
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
      say: (text) => sendToGroup(friends.lin, group.id, text),
      recall: (id) => friends.lin.call(ENDPOINTS.recallGroupMessage, { params: { id } }),
    },
  ];

  const enter = async (): Promise<Device> => {
    const person = await openBrowser({ ...cast.bo, device: "walk", viewport: { width: 1280, height: 1600 } });
    await recordBadges(person);
    const network = await Network.install(person);
    await person.open();
    await person.logIn();
    return { person, network, marks: new Set() };
  };
  const devices = [await enter(), await enter()] as const;
  const sent = new Map<TestChat, number[]>(talks.map((chatApi) => [chatApi, []]));
  const next = seededNumbers(SEED);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;

  const send = async (chatApi: TestChat, count: number) => {
    const ids = sent.get(chatApi) ?? [];
    for (let i = 0; i < count; i++) ids.push(await chatApi.say(`number ${ids.length}`));
  };
  for (const chatApi of talks) await send(chatApi, 1);
  const menu = async ({ person }: Device, chatApi: TestChat, ...items: string[]): Promise<string | null> => {
    const row = person.row(chatApi.name);
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
  const read = async ({ person, marks }: Device, chatApi: TestChat) => {
    if ((await person.row(chatApi.name).count()) === 0) return;
    await person.openChat(chatApi.name);
    marks.delete(chatApi.key);
    await expect(person.row(chatApi.name).locator("[data-badge]")).toHaveCount(0);
    await person.link("nav.chats").click();
    await expect(person.page.getByRole("log")).toHaveCount(0);
  };

  for (let step = 0; step < STEPS; step++) {
    const chatApi = pick(talks);
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
      if (kind === "send") await send(chatApi, 1);
      else if (kind === "burst") await send(chatApi, 4);
      else if (kind === "read") await read(device, chatApi);
      else if (kind === "mute") {
        if (chatApi.mutes.length > 0) await menu(device, chatApi, ...chatApi.mutes);
      } else if (kind === "recall") {
        const id = sent.get(chatApi)?.pop();
        if (id !== undefined) await chatApi.recall(id);
      } else if (kind === "delete") {
        if ((await menu(device, chatApi, "chatMenu.delete")) === null) return;
        await device.person
          .dialog()
          .getByRole("button", { name: device.person.t("chatMenu.deleteConfirm") })
          .click();
        device.marks.delete(chatApi.key);
      } else if (kind === "mark") {
        const done = await menu(device, chatApi, "chatMenu.markRead", "chatMenu.markUnread");
        if (done === "chatMenu.markUnread") device.marks.add(chatApi.key);
        else if (done === "chatMenu.markRead") device.marks.delete(chatApi.key);
      } else {
        await device.network.closeSockets();
        await send(chatApi, 2);
        await device.network.restore();
        await device.person.retryNow();
      }
      await expectBadgesMatchServer(me, devices);
    });
  }
  for (const { person } of devices) expect(await shownZeros(person)).toEqual([]);
});
