import { type Browser, type BrowserContext, expect, type Locator, type Page } from "@playwright/test";
import { PASSWORD } from "./api.ts";
import { ConsoleGuard } from "./console-guard.ts";
import { type Language, type Params, type ProductText, productTexts } from "./product-texts.ts";

export interface PersonOptions {
  language: Language;
  userName: string;
  nickName: string;
  viewport?: { width: number; height: number };
  colorScheme?: "light" | "dark";
  /** A finger instead of a mouse. */
  isTouch?: boolean;
  /** The number of the device that this browser is on; two browsers of one device are as two tabs of one. */
  device?: string;
  /** A browser that never was here: it does not know yet that this server speaks plain http. */
  isNewHere?: boolean;
}

/** Somebody at a browser: a context of its own, and the product's words in the language this person reads. */
export class Person {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly options: PersonOptions;
  readonly url: string;
  readonly console: ConsoleGuard;
  readonly t: ProductText;

  private constructor(page: Page, url: string, options: PersonOptions, console: ConsoleGuard) {
    this.page = page;
    this.context = page.context();
    this.url = url;
    this.options = options;
    this.console = console;
    this.t = productTexts(options.language);
  }

  /** A fresh browser profile with an empty page. */
  static async create(browser: Browser, url: string, options: PersonOptions): Promise<Person> {
    const { language, viewport, colorScheme, isTouch, isNewHere, device } = options;
    const kept = {
      // Browsers that speak any Chinese get zh-CN at first; zh-TW is a choice made before.
      ...(language === "zh-TW" && { "parley.language": language }),
      ...(device !== undefined && { "parley.device": JSON.stringify(device) }),
      ...(!isNewHere && { [`parley.scheme:${url}`]: "plain" }),
    };
    const context = await browser.newContext({
      locale: language,
      ...(viewport && { viewport }),
      ...(colorScheme && { colorScheme }),
      ...(isTouch && { hasTouch: true, isMobile: true }),
    });
    await context.addInitScript(seedStorage, { origin: new URL(url).origin, kept });
    const guard = new ConsoleGuard(context);
    return new Person(await context.newPage(), url, options, guard);
  }

  /** The same person in another tab of the same browser; opened at the same server unless `isBlank`. */
  async openTab(isBlank = false): Promise<Person> {
    const tab = new Person(await this.context.newPage(), this.url, this.options, this.console);
    if (!isBlank) await tab.open();
    return tab;
  }

  /** A copy of this tab, with the session that it is in, as browsers make one. */
  async duplicate(): Promise<Person> {
    const opening = this.context.waitForEvent("page");
    await this.page.evaluate(() => void window.open(location.href));
    return new Person(await opening, this.url, this.options, this.console);
  }

  async open(path = "/"): Promise<void> {
    await this.page.goto(this.url + path);
  }

  button(id: string, params: Params = {}): Locator {
    return this.page.getByRole("button", { name: this.t(id, params), exact: true });
  }

  link(id: string): Locator {
    return this.page.getByRole("link", { name: new RegExp(`^${this.t(id)}`) });
  }

  field(id: string): Locator {
    return this.page.getByRole("textbox", { name: this.t(id), exact: true });
  }

  /** A field or tick by its label; also finds password fields, which have no role. */
  byLabel(id: string): Locator {
    return this.page.getByLabel(this.t(id), { exact: true });
  }

  text(id: string, params: Params = {}): Locator {
    return this.page.getByText(this.t(id, params), { exact: true });
  }

  dialog(): Locator {
    return this.page.locator('[role="dialog"], [role="alertdialog"]');
  }

  /** Fills the login form, which must be on the screen, and waits for the chats. */
  async logIn(password = PASSWORD): Promise<void> {
    await this.byLabel("login.username").fill(this.options.userName);
    await this.byLabel("login.password").fill(password);
    await this.button("login.submit").click();
    await this.expectHome();
  }

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

  async expectHome(): Promise<void> {
    await expect(this.page).toHaveURL(/\/home\/chat/);
  }

  /** The bar that tells that messages do not flow. */
  connectionBar(): Locator {
    return this.button("connection.retryNow");
  }

  /** Presses "retry now" until the line is up again; it may come up by itself meanwhile. */
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

  /** The words in place of the composer that say why nothing can be sent. */
  blockedReason(id: string): Locator {
    return this.page
      .getByRole("main")
      .locator("span")
      .filter({ hasText: this.t(id) });
  }

  /** Waits until the composer says this, with the names of emoticons for their pictures. */
  async expectComposerText(text: string): Promise<void> {
    await expect(this.composer()).toHaveAccessibleDescription(text);
  }

  /** The pictures in the composer. */
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
    const found = this.messages().filter({ hasText: text });
    await expect(found).toHaveCount(1);
    return found;
  }

  /** Opens the menu of the one message that shows this text. */
  async openMessageMenu(text: string): Promise<void> {
    await this.messages().filter({ hasText: text }).locator("[data-bubble]").click({ button: "right" });
    await expect(this.page.getByRole("menu")).toBeVisible();
  }

  menuItem(id: string): Locator {
    return this.page.getByRole("menuitem", { name: new RegExp(`^${this.t(id)}`) });
  }

  /** A sentence between the messages. */
  async expectTip(id: string, params: Params = {}): Promise<void> {
    await expect(this.page.getByRole("log")).toContainText(this.t(id, params));
  }

  /** Presses a button of the open dialog. */
  async answerDialog(id: string, params: Params = {}): Promise<void> {
    await this.dialog()
      .getByRole("button", { name: this.t(id, params), exact: true })
      .click();
  }

  /** Goes to the page of a group. */
  async openGroup(name: string): Promise<void> {
    await this.link("nav.groups").click();
    await this.row(name).click();
    await expect(this.page.getByRole("heading", { level: 1 })).toHaveText(name);
  }

  /** Does something with a member on the page of the members of the group that is open. */
  async runMemberAction(name: string, id: string): Promise<void> {
    await this.button("groups.memberMenu", { name }).click();
    await this.menuItem(id).click();
  }

  /** Does something with the one message that shows this text. */
  async runMessageAction(text: string, id: string): Promise<void> {
    await this.openMessageMenu(text);
    await this.menuItem(id).click();
  }

  /** Picks what else the composer can send. */
  async sendFromPlusMenu(id: string): Promise<void> {
    await this.button("chat.more").click();
    await this.menuItem(id).click();
  }

  /** The words of the messages on the screen, from top to bottom, without times, states and quotes. Emoticons and code as they are written. */
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

  /** Waits until the messages on the screen are these, in this order, once each. */
  async expectTexts(texts: readonly string[]): Promise<void> {
    await expect.poll(() => this.messageTexts()).toEqual(texts);
  }
}

/**
 * What a browser has kept from before, put there as its first page opens. Playwright's `storageState` would load a page of its own for
 * it, which costs as much as all else that a new profile does.
 */
function seedStorage({ origin, kept }: { origin: string; kept: Record<string, string> }): void {
  if (location.origin !== origin || localStorage.getItem("e2e.kept") !== null) return;
  localStorage.setItem("e2e.kept", "");
  for (const [name, value] of Object.entries(kept)) localStorage.setItem(name, value);
}
