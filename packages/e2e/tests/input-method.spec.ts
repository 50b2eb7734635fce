import type { Locator } from "@playwright/test";
import { createAccount, sendText } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { InputMethod } from "../src/input-method.ts";
import { Network } from "../src/network.ts";
import type { Person } from "../src/person.ts";

/**
 * Dispatches the events of Safari when Enter accepts a word: the composition ends before the keydown of that Enter. Returns whether the
 * page left the key its default effect, which in a form is to submit it.
 */
function acceptWordAsSafari(field: Locator, word: string): Promise<boolean> {
  return field.evaluate((element: HTMLInputElement | HTMLTextAreaElement, text) => {
    const bubbles = { bubbles: true };
    element.focus();
    element.dispatchEvent(new CompositionEvent("compositionstart", bubbles));
    element.setRangeText(text, element.selectionStart ?? 0, element.selectionEnd ?? 0, "end");
    element.dispatchEvent(new InputEvent("input", { ...bubbles, isComposing: true, data: text }));
    element.dispatchEvent(new CompositionEvent("compositionend", { ...bubbles, data: text }));
    const key = { ...bubbles, cancelable: true, key: "Enter", code: "Enter" };
    const isUnhandled = element.dispatchEvent(new KeyboardEvent("keydown", { ...key, keyCode: 229 }));
    element.dispatchEvent(new KeyboardEvent("keyup", { ...key, keyCode: 13 }));
    return isUnhandled;
  }, word);
}

test("F111 UI10 Enter that accepts a word does not submit the register form, in any field", async ({
  cast,
  openBrowser,
}) => {
  const lin = await openBrowser(cast.lin);
  await lin.open("/register");
  for (const field of [lin.field("login.username"), lin.field("register.nickname")]) {
    expect(await acceptWordAsSafari(field, "你好")).toBe(false);
    await expect(field).toHaveValue("你好");
    // The form was not submitted: only the fields that were left are validated.
    await expect(lin.byLabel("register.confirm")).not.toHaveAttribute("aria-invalid");
  }
});

test.describe("the composer", () => {
  const CASES = [
    ["in an empty field", "", 0, "你好"],
    ["directly after an emoji", "ok 😀", "ok 😀".length, "ok 😀你好"],
    ["inside a word", "abcd", 2, "ab你好cd"],
    ["directly after an emoticon", "ok #笑哭;", "end", "ok #笑哭;你好"],
    ["directly before an emoticon", "#笑哭;ok", 0, "你好#笑哭;ok"],
    ["between two emoticons", "#笑哭;#爱心;", 2, "#笑哭;你好#爱心;"],
    ["over an emoticon", "a#笑哭;b", [1, 3], "a你好b"],
  ] as const;

  test("UI10 Enter while composing accepts the word wherever it is written, and the next Enter sends once", async ({
    chatting: { lin, bo },
  }) => {
    const field = lin.composer();
    const ime = await InputMethod.of(lin.page);
    const sent: string[] = [];
    for (const [where, text, caret, result] of CASES) {
      await test.step(where, async () => {
        await field.fill(text);
        await field.evaluate((element: HTMLTextAreaElement, at) => {
          const end = element.value.length;
          if (at === "end") element.setSelectionRange(end, end);
          else if (typeof at === "number") element.setSelectionRange(at, at);
          else element.setSelectionRange(at[0], at[1]);
        }, caret);
        await ime.write("nihao", "你好");
        await expect(field).toHaveValue(/你好/);
        await expect(lin.pictures()).toHaveCount(result.split(";").length - 1);
        expect(await lin.messageTexts()).toEqual(sent);
        await field.press("Enter");
        await expect(field).toHaveValue("");
        sent.push(result);
        await lin.expectTexts(sent);
        await bo.expectTexts(sent);
      });
    }
  });

  test("UI10 a composed word replaces the selection and is sent by the next Enter", async ({ lin, cast }) => {
    await lin.openChat(cast.bo.nickName);
    const field = lin.composer();
    await field.fill("old words");
    await field.selectText();
    const ime = await InputMethod.of(lin.page);
    await ime.write("xin", "新");
    await expect(field).toHaveValue("新");
    await field.press("Enter");
    await lin.expectTexts(["新"]);
  });

  test("UI10 with Safari's event order, the Enter after the end of a composition sends nothing", async ({
    lin,
    cast,
  }) => {
    await lin.openChat(cast.bo.nickName);
    const field = lin.composer();
    await acceptWordAsSafari(field, "你好");
    await expect(field).toHaveValue("你好");
    expect(await lin.messageTexts()).toEqual([]);
    await field.press("Enter");
    await lin.expectTexts(["你好"]);
  });

  test("UI11 network changes, new messages and a theme change do not disturb a composition", async ({
    friends,
    cast,
    openBrowser,
  }) => {
    const lin = await openBrowser(cast.lin);
    const network = await Network.install(lin);
    await lin.openAndLogIn();
    await lin.openChat(cast.bo.nickName);
    await lin.composer().pressSequentially("before ");
    const ime = await InputMethod.of(lin.page);
    await ime.compose("ni hao");
    const initial = await fieldState(lin);
    expect(initial).toEqual({ text: "before ni hao", start: 13, end: 13, hasFocus: true });

    await network.disconnect();
    await expect(lin.connectionBar()).toBeVisible();
    expect(await fieldState(lin)).toEqual(initial);
    await network.restore();
    await lin.page.evaluate(() => window.dispatchEvent(new Event("online")));
    await expect(lin.connectionBar()).toHaveCount(0);
    expect(await fieldState(lin)).toEqual(initial);
    for (const text of ["one", "two", "three"]) await sendText(friends.bo, friends.lin, text);
    await lin.expectTexts(["one", "two", "three"]);
    expect(await fieldState(lin)).toEqual(initial);
    await lin.page.emulateMedia({ colorScheme: "dark" });
    await expect(lin.composer()).toHaveCSS("color-scheme", /dark/);
    expect(await fieldState(lin)).toEqual(initial);

    await ime.commit("你好");
    await expect(lin.composer()).toHaveValue("before 你好");
    await lin.composer().press("Enter");
    await lin.expectTexts(["one", "two", "three", "before 你好"]);
  });
});

test("UI10 editing a message: Enter while composing keeps the editor open, the next Enter saves", async ({
  chatting: { lin, bo },
}) => {
  await lin.send("first words");
  await lin.expectTexts(["first words"]);
  await lin.expectSent();
  await lin.composer().press("ArrowUp");
  const field = lin.field("chat.editing");
  await expect(field).toHaveValue("first words");
  const ime = await InputMethod.of(lin.page);
  await ime.write("nihao", "你好");
  await expect(field).toHaveValue("first words你好");
  expect(await acceptWordAsSafari(field, "吗")).toBe(true);
  await expect(field).toHaveValue("first words你好吗");
  await field.press("Enter");
  await bo.expectTexts(["first words你好吗"]);
});

test("UI10 choosing forward recipients: Enter while composing selects nobody", async ({ lin, cast }) => {
  await lin.openChat(cast.bo.nickName);
  await lin.send("pass it on");
  await lin.expectSent();
  await lin.runMessageAction("pass it on", "act.forward");
  const field = lin.page.getByRole("searchbox", { name: lin.t("compose.findReceivers") });
  const person = lin.dialog().getByRole("checkbox");
  await field.focus();
  const ime = await InputMethod.of(lin.page);
  await ime.write("bo", cast.bo.nickName);
  await expect(person).toHaveCount(1);
  await expect(person).not.toBeChecked();
  await field.press("Enter");
  await expect(person).toBeChecked();
});

function fieldState(person: Person) {
  return person.composer().evaluate((element: HTMLTextAreaElement) => ({
    text: element.value,
    start: element.selectionStart,
    end: element.selectionEnd,
    hasFocus: document.activeElement === element,
  }));
}

test("UI10 finding users: Enter while composing does not search, the next Enter does", async ({
  lin,
  cast,
}) => {
  await lin.addFriendButton().click();
  const field = lin.page.getByRole("searchbox", { name: lin.t("friend.findLabel") });
  const hint = lin.text("friend.findHint");
  const ime = await InputMethod.of(lin.page);
  await field.focus();
  await ime.write("linxiao", cast.lin.nickName);
  await expect(field).toHaveValue(cast.lin.nickName);
  await expect(hint).toBeVisible();
  await field.press("Enter");
  await expect(lin.page.getByRole("list", { name: lin.t("friend.results") })).toContainText(
    cast.lin.nickName,
  );
  expect(await acceptWordAsSafari(field, "啊")).toBe(false);
});

test("UI10 the text of a friend request: Enter while composing sends nothing, the next Enter sends it", async ({
  lin,
  cast,
  server,
}) => {
  const stranger = cast.other("stranger");
  await createAccount(server.url, stranger.userName, stranger.nickName);
  await lin.addFriendButton().click();
  await lin.page.getByRole("searchbox", { name: lin.t("friend.findLabel") }).fill(stranger.userName);
  await lin
    .dialog()
    .getByRole("button", { name: lin.t("friend.find"), exact: true })
    .click();
  await lin
    .dialog()
    .getByRole("button", { name: lin.t("friend.addShort"), exact: true })
    .click();
  const field = lin.field("friend.applyRemark");
  const ime = await InputMethod.of(lin.page);
  await field.focus();
  await ime.write("wo shi", "我是");
  await expect(field).toHaveValue("我是");
  expect(await acceptWordAsSafari(field, "林")).toBe(false);
  await expect(field).toBeVisible();
  await field.press("Enter");
  await expect(field).toHaveCount(0);
  await expect(lin.text("friend.pending")).toBeVisible();
});

test("UI10 a friend's remark: Enter while composing saves nothing, the next Enter saves it", async ({
  lin,
  cast,
}) => {
  await lin.link("nav.friends").click();
  await lin.row(cast.bo.nickName).click();
  await lin.button("friend.editRemark").click();
  const field = lin.field("friend.remark");
  const ime = await InputMethod.of(lin.page);
  await field.focus();
  await ime.write("laobo", "老博");
  await expect(field).toHaveValue("老博");
  expect(await acceptWordAsSafari(field, "啊")).toBe(false);
  await expect(lin.page.getByRole("heading", { level: 1 })).toHaveText(cast.bo.nickName);
  await field.fill("老博");
  await field.press("Enter");
  await expect(lin.page.getByRole("heading", { level: 1 })).toHaveText("老博");
});

test("UI10 the account list of the login: Enter while composing chooses no account, the next Enter does", async ({
  lin,
}) => {
  await lin.logOut();
  const field = lin.page.getByRole("combobox", { name: lin.t("login.username") });
  await field.fill("");
  await field.press("ArrowDown");
  const list = lin.page.getByRole("listbox", { name: lin.t("login.savedAccounts") });
  await expect(list).toBeVisible();
  const ime = await InputMethod.of(lin.page);
  await ime.write("ni", "你");
  await expect(list).toBeVisible();
  await expect(field).toHaveValue("你");
  await field.press("Enter");
  await expect(list).toHaveCount(0);
  await expect(field).toHaveValue(lin.options.userName);
});
