import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { type Account, befriend, createAccount, sendText } from "../src/api.ts";
import { expectTruth, recordBadges, zerosOf } from "../src/badges.ts";
import { expect, test } from "../src/fixtures.ts";
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
  /** Chats marked as unread here. */
  readonly marks: Set<number>;
}

test("row 15: badges of two browsers tell what the server says, through a walk of everything that changes them", async ({
  friends,
  cast,
  server,
  sit,
}) => {
  test.slow();
  const owen = cast.other("owen");
  const others = [friends.lin, await createAccount(server.url, owen.userName, owen.nickName)];
  for (const other of others.slice(1)) await befriend(other, friends.bo);
  const me = friends.bo;

  const enter = async (): Promise<Device> => {
    const person = await sit({ ...cast.bo, device: "walk", viewport: { width: 1280, height: 1600 } });
    await recordBadges(person);
    const line = await Line.lay(person);
    await person.open();
    await person.logIn();
    return { person, line, marks: new Set() };
  };
  const devices = [await enter(), await enter()] as const;
  const sent = new Map<number, number[]>(others.map(({ id }) => [id, []]));
  const next = numbers(SEED);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;

  const send = async (other: Account, count: number) => {
    for (let i = 0; i < count; i++)
      sent.get(other.id)?.push(await sendText(other, me, `number ${sent.get(other.id)?.length}`));
  };
  for (const other of others) await send(other, 1);
  const menu = async ({ person }: Device, other: Account, ...items: string[]): Promise<string | null> => {
    const row = person.row(other.nickName);
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
  const read = async ({ person, marks }: Device, other: Account) => {
    if ((await person.row(other.nickName).count()) === 0) return;
    await person.openChat(other.nickName);
    marks.delete(other.id);
    await expect(person.row(other.nickName).locator("[data-badge]")).toHaveCount(0);
    await person.link("nav.chats").click();
    await expect(person.page.getByRole("log")).toHaveCount(0);
  };

  for (let step = 0; step < STEPS; step++) {
    const other = pick(others);
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
      if (kind === "send") await send(other, 1);
      else if (kind === "burst") await send(other, 4);
      else if (kind === "read") await read(device, other);
      else if (kind === "mute") await menu(device, other, "chatMenu.mute", "chatMenu.unmute");
      else if (kind === "recall") {
        const id = sent.get(other.id)?.pop();
        if (id !== undefined) await other.call(ENDPOINTS.recallPrivateMessage, { params: { id } });
      } else if (kind === "delete") {
        if ((await menu(device, other, "chatMenu.delete")) === null) return;
        await device.person
          .dialog()
          .getByRole("button", { name: device.person.t("chatMenu.deleteConfirm") })
          .click();
        device.marks.delete(other.id);
      } else if (kind === "mark") {
        const done = await menu(device, other, "chatMenu.markRead", "chatMenu.markUnread");
        if (done === "chatMenu.markUnread") device.marks.add(other.id);
        else if (done === "chatMenu.markRead") device.marks.delete(other.id);
      } else {
        await device.line.cutSocket();
        await send(other, 2);
        await device.line.mend();
        await device.person.retryNow();
      }
      await expectTruth(me, devices);
    });
  }
  for (const { person } of devices) expect(await zerosOf(person)).toEqual([]);
});
