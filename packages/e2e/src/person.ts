import { readFileSync } from "node:fs";
import { type Browser, type BrowserContext, expect, type Locator, type Page } from "@playwright/test";
import { PASSWORD } from "./api.ts";

export type Language = "zh-CN" | "en-US" | "zh-TW";

export interface PersonOptions {
  language: Language;
  userName: string;
  nickName: string;
  viewport?: { width: number; height: number };
}

/** Somebody at a browser: a context of its own, and the product's words in the language this person reads. */
export class Person {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly options: PersonOptions;
  readonly url: string;
  readonly #words: Record<string, string>;

  private constructor(page: Page, url: string, options: PersonOptions) {
    this.page = page;
    this.context = page.context();
    this.url = url;
    this.options = options;
    this.#words = wordsOf(options.language);
  }

  /** Opens the login screen in a fresh browser profile. */
  static async open(browser: Browser, url: string, options: PersonOptions): Promise<Person> {
    const context = await browser.newContext({
      locale: options.language === "zh-TW" ? "zh-CN" : options.language,
      ...(options.viewport && { viewport: options.viewport }),
    });
    const person = new Person(await context.newPage(), url, options);
    await person.page.goto(url);
    return person;
  }

  /** The same person in another tab of the same browser. */
  async openTab(): Promise<Person> {
    const page = await this.context.newPage();
    await page.goto(this.url);
    return new Person(page, this.url, this.options);
  }

  /** A text of the product in this person's language. */
  t(id: string, params: Record<string, string | number> = {}): string {
    const text = this.#words[id];
    if (text === undefined) throw new Error(`no text ${id}`);
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
  }

  button(id: string, params: Record<string, string | number> = {}): Locator {
    return this.page.getByRole("button", { name: this.t(id, params), exact: true });
  }

  field(id: string): Locator {
    return this.page.getByRole("textbox", { name: this.t(id), exact: true });
  }

  async register(): Promise<void> {
    const { page, options } = this;
    await page.getByRole("link", { name: this.t("login.register"), exact: true }).click();
    await this.field("login.username").fill(options.userName);
    await this.field("register.nickname").fill(options.nickName);
    await page.getByLabel(this.t("login.password"), { exact: true }).fill(PASSWORD);
    await page.getByLabel(this.t("register.confirm"), { exact: true }).fill(PASSWORD);
    await this.button("register.submit").click();
    await this.expectHome();
  }

  async logIn(): Promise<void> {
    const { page, options } = this;
    await page.getByLabel(this.t("login.username"), { exact: true }).fill(options.userName);
    await page.getByLabel(this.t("login.password"), { exact: true }).fill(PASSWORD);
    await this.button("login.submit").click();
    await this.expectHome();
  }

  async expectHome(): Promise<void> {
    await expect(this.page).toHaveURL(/\/home\/chat/);
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

  composer(): Locator {
    return this.page.getByRole("textbox", { name: this.t("chat.placeholder"), exact: true });
  }

  /** Types into the composer and sends with Enter. */
  async send(text: string): Promise<void> {
    await this.composer().fill(text);
    await this.composer().press("Enter");
  }

  /** Opens a chat by its row in the list. */
  async openChat(name: string): Promise<void> {
    await this.page.getByRole("option", { name: new RegExp(`^${name}`) }).click();
    await expect(this.composer()).toBeVisible();
  }
}

function wordsOf(language: Language): Record<string, string> {
  const file = new URL(`../../web/src/locales/${language}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
}
