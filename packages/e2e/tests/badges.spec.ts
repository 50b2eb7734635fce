import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { befriend, createAccount, sendText } from "../src/api.ts";
import { expectBadgesMatchServer, recordBadges, shownZeros } from "../src/unread-badges.ts";
import { expect, test } from "../src/fixtures.ts";
import { isFullRun } from "../src/full-run.ts";
import { createGroup, sendToGroup } from "../src/groups.ts";
import { Network } from "../src/network.ts";
import { menuItemName, type Person } from "../src/person.ts";

const STEPS = isFullRun ? 120 : 40;
const SEED = 20_261_121;

/** Returns a generator of numbers from 0 to 1 that are the same in each run. */
function seededNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** One of the two browsers with its local state. */
interface Device {
  readonly person: Person;
  readonly network: Network;
  /** Keys of the chats that are marked as unread in this browser. */
  readonly marks: Set<string>;
}

/** A chat in which others write. */
interface TestChat {
  readonly key: string;
  readonly name: string;
  /** The menu items that mute and unmute it. */
  readonly muteItems: readonly string[];
  /** Sends a text and returns its id. */
  send(text: string): Promise<number>;
  recall(id: number): Promise<unknown>;
}

test("UI15 badges of two browsers match the server through a randomised run of all actions that change them", async ({
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
  const chats: readonly TestChat[] = [
    ...[friends.lin, other].map((friend) => ({
      key: `PRIVATE:${friend.id}`,
      name: friend.nickName,
      muteItems: ["chatMenu.mute", "chatMenu.unmute"],
      send: (text: string) => sendText(friend, me, text),
      recall: (id: number) => friend.call(ENDPOINTS.recallPrivateMessage, { params: { id } }),
    })),
    {
      key: `GROUP:${group.id}`,
      name: group.name,
      muteItems: [],
      send: (text) => sendToGroup(friends.lin, group.id, text),
      recall: (id) => friends.lin.call(ENDPOINTS.recallGroupMessage, { params: { id } }),
    },
  ];

  const openDevice = async (): Promise<Device> => {
    const person = await openBrowser({
      ...cast.bo,
      device: "randomised",
      viewport: { width: 1280, height: 1600 },
    });
    await recordBadges(person);
    const network = await Network.install(person);
    await person.openAndLogIn();
    return { person, network, marks: new Set() };
  };
  const devices = [await openDevice(), await openDevice()] as const;
  const sentIds = new Map<TestChat, number[]>(chats.map((chat) => [chat, []]));
  const random = seededNumbers(SEED);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

  const sendTo = async (chat: TestChat, count: number) => {
    const ids = sentIds.get(chat) ?? [];
    for (let i = 0; i < count; i++) ids.push(await chat.send(`number ${ids.length}`));
  };
  for (const chat of chats) await sendTo(chat, 1);
  /** Chooses the shown one of these items in the chat's menu. Returns its key, or null if the chat is not in the list. */
  const chooseFromMenu = async (
    { person }: Device,
    chat: TestChat,
    ...items: string[]
  ): Promise<string | null> => {
    const row = person.row(chat.name);
    // The chat was deleted here and has received no message since.
    if ((await row.count()) === 0) return null;
    await row.click({ button: "right" });
    const item = person.page.getByRole("menuitem", {
      name: menuItemName(...items.map((id) => person.t(id))),
    });
    const name = await item.textContent();
    await item.click();
    await expect(person.page.getByRole("menu")).toHaveCount(0);
    return items.find((id) => name?.startsWith(person.t(id))) ?? null;
  };
  const read = async ({ person, marks }: Device, chat: TestChat) => {
    if ((await person.row(chat.name).count()) === 0) return;
    await person.openChat(chat.name);
    marks.delete(chat.key);
    await expect(person.row(chat.name).locator("[data-badge]")).toHaveCount(0);
    await person.link("nav.chats").click();
    await expect(person.page.getByRole("log")).toHaveCount(0);
  };

  for (let step = 0; step < STEPS; step++) {
    const chat = pick(chats);
    const device = pick(devices);
    const action = pick([
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
      "disconnect",
    ]);
    await test.step(`${step}: ${action}`, async () => {
      if (action === "send") await sendTo(chat, 1);
      else if (action === "burst") await sendTo(chat, 4);
      else if (action === "read") await read(device, chat);
      else if (action === "mute") {
        if (chat.muteItems.length > 0) await chooseFromMenu(device, chat, ...chat.muteItems);
      } else if (action === "recall") {
        const id = sentIds.get(chat)?.pop();
        if (id !== undefined) await chat.recall(id);
      } else if (action === "delete") {
        if ((await chooseFromMenu(device, chat, "chatMenu.delete")) === null) return;
        await device.person
          .dialog()
          .getByRole("button", { name: device.person.t("chatMenu.deleteConfirm") })
          .click();
        device.marks.delete(chat.key);
        // Badges may be equal before, and the next step looks once whether the chat is in the list.
        await expect(device.person.row(chat.name)).toHaveCount(0);
      } else if (action === "mark") {
        const item = await chooseFromMenu(device, chat, "chatMenu.markRead", "chatMenu.markUnread");
        if (item === "chatMenu.markUnread") device.marks.add(chat.key);
        else if (item === "chatMenu.markRead") device.marks.delete(chat.key);
      } else {
        await device.network.closeSockets();
        await sendTo(chat, 2);
        await device.network.restore();
        await device.person.retryNow();
      }
      await expectBadgesMatchServer(me, devices);
    });
  }
  for (const { person } of devices) expect(await shownZeros(person)).toEqual([]);
});
