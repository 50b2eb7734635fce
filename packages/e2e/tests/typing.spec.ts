import type { BodyOf } from "@parley/protocol/endpoint";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { sendText } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { InputMethod } from "../src/input-method.ts";
import { expectRecording } from "../src/microphone.ts";
import type { Person } from "../src/person.ts";

/** The line below the name of the open chat. */
const line = (person: Person) => person.page.locator("main header p");
/** The row of a chat in the list. */
const row = (person: Person, key: string) => person.page.locator(`[data-chat="${key}"]`);

/** The text in that row; the row also has its name for screen readers. */
const rowText = (person: Person, key: string) => row(person, key).locator("bdi").last();

/** What this browser tells from now on, the earliest first: what is done, and whether it begins. */
function watchTold({ page }: Person): readonly string[] {
  const told: string[] = [];
  page.on("request", (request) => {
    if (!request.url().endsWith(ENDPOINTS.tellTyping.path)) return;
    const { what, on } = request.postDataJSON() as BodyOf<typeof ENDPOINTS.tellTyping>;
    told.push(`${what} ${on}`);
  });
  return told;
}

/** Writes a character each second until something is to be seen, which is not for long after the last one. */
async function typeUntil(person: Person, isSeen: () => Promise<void>): Promise<void> {
  await person.composer().focus();
  await expect(async () => {
    await person.page.keyboard.insertText("字");
    await isSeen();
  }).toPass({ intervals: [0] });
}

/** How the assertions inside `typeUntil` wait. */
const SOON = { timeout: 1_000 };

test("TY1 TY2 TY4 TY5 TY9 of two people one sees the other type, until the message comes or the text is removed", async ({
  friends,
  chatting: { lin, bo },
  cast,
}) => {
  const told = watchTold(bo);
  const chatOfBo = row(lin, `PRIVATE:${friends.bo.id}`);
  const textOfBo = rowText(lin, `PRIVATE:${friends.bo.id}`);
  await bo.send("第一条");
  await lin.expectMessage("第一条");
  await expect(line(lin)).toBeVisible();
  const before = await lin.page.locator("main header h1").boundingBox();

  await typeUntil(bo, () => expect(line(lin)).toHaveText(lin.t("chat.typing"), SOON));
  await typeUntil(bo, () => expect(textOfBo).toHaveText(lin.t("chat.typing"), SOON));
  expect(await lin.page.locator("main header h1").boundingBox()).toEqual(before);
  // The name is that of the last message, and nothing is announced.
  await expect(chatOfBo).toHaveAccessibleName(/第一条/);
  expect(await line(lin).evaluate((one) => one.closest("[aria-live], [role=status], [role=log]"))).toBeNull();
  expect(new Set(told)).toEqual(new Set(["text true"]));

  await bo.composer().press("Enter");
  await expect(lin.messages()).toHaveCount(2);
  await expect(line(lin)).not.toHaveText(lin.t("chat.typing"));
  expect(told).not.toContain("text false");

  await typeUntil(bo, () => expect(line(lin)).toHaveText(lin.t("chat.typing"), SOON));
  await bo.composer().press("ControlOrMeta+a");
  await bo.composer().press("Delete");
  await expect.poll(() => told.at(-1)).toBe("text false");
  await expect(line(lin)).not.toHaveText(lin.t("chat.typing"));
  await expect(textOfBo).toHaveText(/^字+$/);

  // It ends by itself.
  await typeUntil(bo, () => expect(line(lin)).toHaveText(lin.t("chat.typing"), SOON));
  await expect(line(lin)).not.toHaveText(lin.t("chat.typing"), { timeout: 15_000 });
  await expect(bo.composer()).not.toHaveValue("");
  await expect(bo.page.locator("main header h1")).toHaveText(cast.lin.nickName);
});

test("TY1 neither the words of an input method, nor a draft from another tab, nor the edit of a message is told", async ({
  friends,
  chatting: { bo },
  cast,
}) => {
  // Nothing was typed here, so that no pause since then keeps anything from being told.
  await sendText(friends.bo, friends.lin, "hello");
  await bo.expectMessage("hello");
  const other = await bo.openSignedInTab();
  await other.openChat(cast.lin.nickName);
  const [told, toldByOther] = [watchTold(bo), watchTold(other)];
  // A field that is in use keeps its text.
  await other.composer().blur();
  await bo.page.bringToFront();
  await bo.runMessageAction("hello", "act.edit");
  await bo.page.keyboard.insertText(" and more");
  await bo.page.keyboard.press("Escape");
  await bo.composer().focus();
  const inputMethod = await InputMethod.of(bo.page);
  await inputMethod.compose("ni'hao'ma");
  await expect(bo.composer()).toHaveValue("ni'hao'ma");
  await bo.page.evaluate(() => new Promise(requestAnimationFrame));
  expect(told).toEqual([]);
  await inputMethod.commit("你好吗");
  await expect.poll(() => told).toEqual(["text true"]);
  await expect(other.composer()).toHaveValue("你好吗");
  expect(toldByOther).toEqual([]);
});

test("TY4 TY9 in a group one, two and more people are named, the name does not move, and a draft stays in the list", async ({
  team: { group, lin, bo, mei },
  cast,
}) => {
  const title = bo.page.locator("main header h1");
  const before = await title.boundingBox();
  const listed = rowText(bo, `GROUP:${group.id}`);
  const one = bo.t("chat.typingOne", { name: cast.lin.nickName });
  await typeUntil(lin, () => expect(line(bo)).toHaveText(one, SOON));
  expect(await title.boundingBox()).toEqual(before);
  await typeUntil(lin, () => expect(listed).toHaveText(one, SOON));
  const both = bo.t("chat.typingTwo", { first: cast.lin.nickName, second: cast.mei.nickName });
  await mei.composer().focus();
  await typeUntil(lin, async () => {
    await mei.page.keyboard.insertText("字");
    await expect(line(bo)).toHaveText(both, SOON);
  });
  await expect(line(bo)).toHaveCount(0, { timeout: 15_000 });
  expect(await title.boundingBox()).toEqual(before);
  // An unfinished text of one's own is worth more in the list.
  await bo.composer().fill("my draft");
  await bo.openChat(cast.lin.nickName);
  await expect(listed).toHaveText("my draft");
  await typeUntil(lin, () =>
    expect(rowText(mei, `GROUP:${group.id}`)).toContainText(cast.lin.nickName, SOON),
  );
  await expect(listed).toHaveText("my draft");
});

test("TY6 a recording is told as one, until it ends", async ({ chatting: { lin, bo } }) => {
  const told = watchTold(bo);
  await bo.button("voice.record").click();
  await expectRecording(bo, 1);
  await expect(line(lin)).toHaveText(lin.t("chat.recording"));
  await bo.button("voice.stop").click();
  await expect.poll(() => told.at(-1)).toBe("voice false");
  await expect(line(lin)).not.toHaveText(lin.t("chat.recording"));
});

test("TY8 whoever switches it off tells nothing, and it stays off after a reload", async ({
  pair: { lin, bo },
  cast,
}) => {
  await bo.openSettings("privacy");
  const shown = bo.dialog().getByRole("switch", { name: bo.t("settings.typing") });
  await expect(shown).toBeChecked();
  await shown.click();
  await bo.page.reload();
  await bo.openSettings("privacy");
  await expect(shown).not.toBeChecked();
  await bo.page.keyboard.press("Escape");
  await lin.openChat(cast.bo.nickName);
  await bo.openChat(cast.lin.nickName);
  const told = watchTold(bo);
  await bo.composer().fill("nobody shall see it");
  await bo.composer().press("Enter");
  await lin.expectMessage("nobody shall see it");
  expect(told).toEqual([]);
});
