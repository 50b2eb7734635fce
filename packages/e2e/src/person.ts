import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  expect,
  type Locator,
  type Page,
} from "@playwright/test";
import { PASSWORD } from "./api.ts";
import { ConsoleGuard } from "./console-guard.ts";
import { type Language, type Params, type ProductText, productTexts } from "./product-texts.ts";
import { expectToast, recordToasts } from "./toasts.ts";

/** The person a browser belongs to, and the kind of browser. */
export interface PersonOptions {
  language: Language;
  userName: string;
  nickName: string;
  viewport?: { width: number; height: number };
  colorScheme?: "light" | "dark";
  /** The font size in the settings of the browser, in px. */
  fontPx?: number;
  /** Touch instead of a mouse. */
  isTouch?: boolean;
  /** The device number. Two browsers with the same number behave like two tabs of one browser. */
  device?: string;
  /** A browser that has never opened this server: it does not know yet that the server speaks plain http. */
  isNewHere?: boolean;
}

/** The name of a menu item that has one of these texts, behind which its shortcut may stand. */
export function menuItemName(...texts: string[]): RegExp {
  return new RegExp(`^(${texts.join("|")})( ?[A-Z].*)?$`);
}

/** A person at a browser, with a browser context and the texts of the product in the person's language. */
export class Person {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly options: PersonOptions;
  readonly url: string;
  readonly console: ConsoleGuard;
  readonly t: ProductText;
  /** The font size goes back to 16 px when this ends. */
  private fontSession: CDPSession | null = null;

  private constructor(page: Page, url: string, options: PersonOptions, console: ConsoleGuard) {
    this.page = page;
    this.context = page.context();
    this.url = url;
    this.options = options;
    this.console = console;
    this.t = productTexts(options.language);
  }

  /** Opens a fresh browser profile with an empty page. */
  static async create(browser: Browser, url: string, options: PersonOptions): Promise<Person> {
    const { language, viewport, colorScheme, isTouch } = options;
    const context = await browser.newContext({
      locale: language,
      ...(viewport && { viewport }),
      ...(colorScheme && { colorScheme }),
      ...(isTouch && { hasTouch: true, isMobile: true }),
    });
    return Person.inContext(context, url, options);
  }

  /** Opens an empty page of a browser profile. */
  static async inContext(context: BrowserContext, url: string, options: PersonOptions): Promise<Person> {
    const { language, isNewHere, device } = options;
    const stored = {
      // Browsers with any Chinese language get zh-CN at first. zh-TW must be chosen, so it is stored here.
      ...(language === "zh-TW" && { "parley.language": language }),
      ...(device !== undefined && { "parley.device": JSON.stringify(device) }),
      ...(!isNewHere && { [`parley.scheme:${url}`]: "plain" }),
    };
    await context.addInitScript(seedStorage, { origin: new URL(url).origin, stored });
    await context.addInitScript(recordToasts);
    const guard = new ConsoleGuard(context);
    const person = new Person(await context.newPage(), url, options, guard);
    if (options.fontPx !== undefined) await person.setFontSize(options.fontPx);
    return person;
  }

  /** A person at the window of the desktop application. */
  static atWindow(page: Page, url: string, options: PersonOptions): Person {
    return new Person(page, url, options, new ConsoleGuard(page.context()));
  }

  /** Opens another tab of the same browser, at the same server unless `isBlank`. */
  async openTab(isBlank = false): Promise<Person> {
    const tab = new Person(await this.context.newPage(), this.url, this.options, this.console);
    if (!isBlank) await tab.open();
    return tab;
  }

  /** Opens another tab of the same browser and logs in. */
  async openSignedInTab(): Promise<Person> {
    const tab = await this.openTab();
    await tab.logIn();
    return tab;
  }

  /** Duplicates this tab with its session storage, as browsers do. */
  async duplicate(): Promise<Person> {
    const opening = this.context.waitForEvent("page");
    await this.page.evaluate(() => void window.open(location.href));
    return new Person(await opening, this.url, this.options, this.console);
  }

  /** Changes the font size in the settings of the browser for this page. */
  async setFontSize(px: number): Promise<void> {
    this.fontSession ??= await this.context.newCDPSession(this.page);
    await this.fontSession.send("Page.setFontSizes", { fontSizes: { standard: px } });
  }

  /** Loads a page of the server. */
  async open(path = "/"): Promise<void> {
    await this.page.goto(this.url + path);
  }

  button(id: string, params: Params = {}): Locator {
    return this.page.getByRole("button", { name: this.t(id, params), exact: true });
  }

  /** The button that opens the dialog for finding people. An empty list shows a second one below it. */
  addFriendButton(): Locator {
    return this.button("friend.add").first();
  }

  link(id: string): Locator {
    return this.page.getByRole("link", { name: new RegExp(`^${this.t(id)}`) });
  }

  field(id: string): Locator {
    return this.page.getByRole("textbox", { name: this.t(id), exact: true });
  }

  /** A field or checkbox by its label. Also finds password fields, which have no role. */
  byLabel(id: string): Locator {
    return this.page.getByLabel(this.t(id), { exact: true });
  }

  text(id: string, params: Params = {}): Locator {
    return this.page.getByText(this.t(id, params), { exact: true });
  }

  dialog(): Locator {
    return this.page.locator('[role="dialog"], [role="alertdialog"]');
  }

  /** Fills the login form, which must be visible, and waits for the chat list. */
  async logIn(password = PASSWORD): Promise<void> {
    await this.submitLogin(password);
    await expect(this.page.locator('[data-landmark="list"]:not([data-partial])')).toBeVisible();
  }

  /** Logs in. The list may show only the newest chats, as the server says them, while the pulls go on. */
  async submitLogin(password = PASSWORD): Promise<void> {
    await this.byLabel("login.username").fill(this.options.userName);
    await this.byLabel("login.password").fill(password);
    await this.button("login.submit").click();
    await this.expectHome();
  }

  /** Opens the server at the login screen and logs in. */
  async openAndLogIn(): Promise<void> {
    await this.open();
    await this.logIn();
  }

  /** Registers from the login screen and waits for the chat list. */
  async register(): Promise<void> {
    const { userName, nickName } = this.options;
    await this.page.getByRole("link", { name: this.t("login.register"), exact: true }).click();
    await this.field("login.username").fill(userName);
    await this.field("register.nickname").fill(nickName);
    await this.byLabel("login.password").fill(PASSWORD);
    await this.byLabel("register.confirm").fill(PASSWORD);
    await this.button("register.submit").click();
    await this.expectHome();
  }

  async logOut(): Promise<void> {
    await this.button("nav.menu").click();
    await this.page.getByRole("menuitem", { name: this.t("menu.logout") }).click();
    await this.dialog()
      .getByRole("button", { name: this.t("menu.logout"), exact: true })
      .click();
    await expect(this.page).toHaveURL(/\/login$/);
  }

  /** Opens the settings at one of their tabs, such as "privacy". */
  async openSettings(tab: string): Promise<void> {
    await this.button("nav.menu").click();
    await this.page.getByRole("menuitem", { name: this.t("menu.settings"), exact: true }).click();
    await this.page.getByRole("tab", { name: this.t(`settings.${tab}`), exact: true }).click();
  }

  /** Opens the profile settings by the avatar of the rail, and returns their dialog. */
  async openProfile(nickName = this.options.nickName): Promise<Locator> {
    await this.button("nav.profile", { name: nickName }).click();
    return this.page.getByRole("dialog", { name: this.t("profile.title"), exact: true });
  }

  async expectHome(): Promise<void> {
    await expect(this.page).toHaveURL(/\/home\/chat/);
  }

  /** The button of the bar that says that the connection is lost. */
  connectionBar(): Locator {
    return this.button("connection.retryNow");
  }

  /** Presses "retry now" until the connection is back. It may also come back by itself. */
  async retryNow(): Promise<void> {
    await expect(async () => {
      if (await this.connectionBar().isVisible()) await this.connectionBar().click({ timeout: 1_000 });
      await expect(this.connectionBar()).toHaveCount(0, { timeout: 2_000 });
    }).toPass();
  }

  /** The row of a chat in the list. */
  row(name: string): Locator {
    return this.page.getByRole("option", { name: new RegExp(`^${name}(,|，|$)`) });
  }

  /** Opens a chat by its row in the list. */
  async openChat(name: string): Promise<void> {
    await this.row(name).click();
    await expect(this.page.getByRole("log")).toBeVisible();
  }

  /** Opens the card of the person whose chat is open. */
  async openPeerCard(): Promise<void> {
    const header = this.page.locator("main header");
    const name = (await header.getByRole("heading").textContent()) ?? "";
    await header.getByRole("button", { name: this.t("card.open", { name }), exact: true }).click();
  }

  composer(): Locator {
    return this.field("chat.placeholder");
  }

  /** The text in place of the composer that says why nothing can be sent. */
  blockedReason(id: string): Locator {
    return this.page
      .getByRole("main")
      .locator("span")
      .filter({ hasText: this.t(id) });
  }

  /** Waits until the composer contains this text, with names in place of emoticon pictures. */
  async expectComposerText(text: string): Promise<void> {
    await expect(this.composer()).toHaveAccessibleDescription(text);
  }

  /** The emoticon pictures in the composer. */
  pictures(): Locator {
    return this.page.locator("form [data-emoticon]");
  }

  /** Types into the composer and sends with Enter. */
  async send(text: string): Promise<void> {
    await this.composer().fill(text);
    await this.composer().press("Enter");
  }

  /** The messages of the open chat, as rows. */
  messages(): Locator {
    return this.page.getByRole("log").getByRole("article");
  }

  /** Waits until the open chat shows this text in exactly one message. */
  async expectMessage(text: string): Promise<Locator> {
    const message = this.messages().filter({ hasText: text });
    await expect(message).toHaveCount(1);
    return message;
  }

  /** What the open conversation says of a message, such as "Unread". */
  messageState(id: string): Locator {
    return this.page.getByRole("log").getByText(this.t(id), { exact: true });
  }

  /** Waits until the server has stored these messages. Before that, a message cannot be edited, quoted or forwarded. */
  async expectSent(messages = this.messages()): Promise<void> {
    await expect(messages.getByRole("img", { name: this.t("chat.sending"), exact: true })).toHaveCount(0);
  }

  /** Opens the menu of the message with this text. */
  async openMessageMenu(text: string): Promise<void> {
    const message = this.messages().filter({ hasText: text });
    await expect(message).toBeVisible();
    await this.expectSent(message);
    await message.locator("[data-bubble]").click({ button: "right" });
    await expect(this.page.getByRole("menu")).toBeVisible();
  }

  /** Waits until the open menu has the focus, because before it keys do not reach the menu. */
  async expectMenuFocused(): Promise<void> {
    const menu = this.page.getByRole("menu");
    await expect.poll(() => menu.evaluate((box) => box.contains(document.activeElement))).toBe(true);
  }

  menuItem(id: string): Locator {
    return this.page.getByRole("menuitem", { name: new RegExp(`^${this.t(id)}`) });
  }

  /** Waits until a toast with these words was shown, be it still there or not. `role` is "alert" for what is announced at once. */
  expectToast(words: string, role?: "alert" | "status"): Promise<void> {
    return expectToast(this.page, words, role);
  }

  /** Waits until the timeline shows this tip. */
  async expectTip(id: string, params: Params = {}): Promise<void> {
    await expect(this.page.getByRole("log")).toContainText(this.t(id, params));
  }

  /** Presses a button of the open dialog. */
  async answerDialog(id: string, params: Params = {}): Promise<void> {
    await this.dialog()
      .last()
      .getByRole("button", { name: this.t(id, params), exact: true })
      .click();
  }

  /** Reads why the session has ended and confirms it, which leads to the login screen. `title` is the key of the title. */
  async confirmEnd(title: string, reason: string): Promise<void> {
    const dialog = this.page.getByRole("alertdialog", { name: this.t(title) });
    await expect(dialog).toContainText(reason);
    await dialog.getByRole("button", { name: this.t("app.confirm") }).click();
    await expect(this.page).toHaveURL(/\/login$/);
    await expect(this.dialog()).toHaveCount(0);
  }

  /** Opens the page of a group. */
  async openGroup(name: string): Promise<void> {
    await this.link("nav.groups").click();
    await this.row(name).click();
    await expect(this.page.getByRole("heading", { level: 1 })).toHaveText(name);
  }

  /** Runs an action of a member's menu on the page with the members of a group. */
  async runMemberAction(name: string, id: string): Promise<void> {
    await this.button("groups.memberMenu", { name }).click();
    await this.menuItem(id).click();
  }

  /** Runs an action of the menu of the message with this text. */
  async runMessageAction(text: string, id: string): Promise<void> {
    await this.openMessageMenu(text);
    await this.menuItem(id).click();
  }

  /** Chooses an item of the composer's menu of other things to send. */
  async sendFromPlusMenu(id: string): Promise<void> {
    // Messages have a button of this name as well.
    const more = { name: this.t("chat.more"), exact: true };
    await this.page.locator("form").getByRole("button", more).click();
    await this.menuItem(id).click();
  }

  /** The texts of the mounted messages from top to bottom, without times, states and quotes. Emoticons and code are as written. */
  async messageTexts(): Promise<string[]> {
    return this.messages().evaluateAll((rows) =>
      rows
        .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
        .map((row) =>
          [...(row.querySelector("[data-bubble]")?.childNodes ?? [])]
            .slice(0, -1)
            .filter((part) => !(part instanceof HTMLElement && "quote" in part.dataset))
            .map((part) => (part instanceof HTMLElement && part.dataset["token"]) || part.textContent)
            .join(""),
        ),
    );
  }

  /** Waits until the mounted messages are exactly these, in this order. */
  async expectTexts(texts: readonly string[]): Promise<void> {
    await expect.poll(() => this.messageTexts()).toEqual(texts);
  }
}

/**
 * Fills the local storage when the first page opens. Playwright's `storageState` would load another page for it, which takes as long as
 * everything else that a new profile does.
 */
function seedStorage({ origin, stored }: { origin: string; stored: Record<string, string> }): void {
  if (location.origin !== origin || localStorage.getItem("e2e.seeded") !== null) return;
  localStorage.setItem("e2e.seeded", "");
  for (const [name, value] of Object.entries(stored)) localStorage.setItem(name, value);
}
