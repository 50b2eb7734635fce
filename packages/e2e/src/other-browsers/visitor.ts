import { setTimeout as sleep } from "node:timers/promises";
import { type Language, type Params, productTexts } from "../product-texts.ts";
import type { Driver } from "./driver.ts";

/** What to look for: visible elements that a selector finds, with this accessible name or beginning of it, and with this in their text. */
export interface Target {
  readonly css: string;
  readonly name?: string;
  readonly nameStart?: string;
  readonly text?: string;
}

/** A visible element. */
interface Found {
  readonly x: number;
  readonly y: number;
  /** Whether a click at its middle reaches it: it is in the window, and nothing lies over it. */
  readonly isReachable: boolean;
}

// A busy machine takes long.
const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 100;

/** Repeats a check until it returns something other than false, and returns that. Fails with the sentence if it never does. */
export async function until<T>(sentence: string, check: () => Promise<T | false>): Promise<T> {
  const endsAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const result = await check();
    if (result !== false) return result;
    if (Date.now() > endsAt) throw new Error(`waited in vain: ${sentence}`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** A person at a driven browser, who finds things by what they are called. */
export class Visitor {
  readonly browser: Driver;
  language: Language;

  constructor(browser: Driver, language: Language) {
    this.browser = browser;
    this.language = language;
  }

  /** A text of the product in the person's language. */
  t(id: string, params: Params = {}): string {
    return productTexts(this.language)(id, params);
  }

  button(id: string): Target {
    return { css: "button, [role=button]", name: this.t(id) };
  }

  /** An item of a menu. Some show their key behind the name. */
  menuItem(id: string): Target {
    return { css: "[role=menuitem]", nameStart: this.t(id) };
  }

  field(id: string): Target {
    return { css: "input, textarea", name: this.t(id) };
  }

  /** The row of a chat in the list. */
  row(name: string): Target {
    return { css: "[role=option]", nameStart: name };
  }

  /** A message of the open chat. */
  message(text: string): Target {
    return { css: "[role=log] [role=article], [role=log] article", text };
  }

  /** Waits until so many elements are visible. */
  async see(target: Target, count = 1): Promise<void> {
    await until(
      `${count} × ${JSON.stringify(target)}`,
      async () => (await this.find(target)).length === count,
    );
  }

  /** Runs a function in the page. It must use nothing but its arguments, which are sent as JSON, and so is what it returns. */
  async evaluate<Args extends readonly unknown[], T>(run: (...args: Args) => T, ...args: Args): Promise<T> {
    return (await this.browser.evaluate(`(${String(run)})(...${JSON.stringify(args)})`)) as T;
  }

  find(target: Target): Promise<Found[]> {
    return this.evaluate(findElements, target, false);
  }

  /** Clicks the middle of the first element found, once it has stopped moving and nothing lies over it. */
  async click(target: Target): Promise<void> {
    const { x, y } = await this.reach(target);
    await this.browser.clickAt(x, y);
  }

  /** Opens the menu of a message: by a right click, or by the button that shows beside it while the pointer is over it. */
  async openMessageMenu(text: string): Promise<void> {
    const { x, y } = await this.reach({ css: "[role=log] [data-bubble]", text });
    if (this.browser.rightClickAt !== undefined) return this.browser.rightClickAt(x, y);
    await this.browser.moveTo(x, y);
    await this.click({ css: "[data-hover-bar] button", name: this.t("act.more") });
  }

  /** Waits until the first element found has stopped moving and nothing lies over its middle. */
  private reach(target: Target): Promise<Found> {
    let before: Found | undefined;
    return until(`${JSON.stringify(target)} can be reached`, async () => {
      const [now] = await this.evaluate(findElements, target, true);
      const isStill = now?.isReachable === true && now.x === before?.x && now.y === before.y;
      before = now;
      return isStill && now;
    });
  }

  /** Clicks a field and types into it. */
  async fill(target: Target, text: string): Promise<void> {
    await this.click(target);
    await this.browser.type(text);
  }

  /** Writes into the open chat and sends by Enter. */
  async send(text: string): Promise<void> {
    await this.fill(this.field("chat.placeholder"), text);
    await this.browser.press("Enter");
  }

  /** The address, what the focused field holds and the last words on the screen, for a report. */
  async describePage(): Promise<string> {
    return this.evaluate(() => {
      const { activeElement } = document;
      const isField =
        activeElement instanceof HTMLInputElement || activeElement instanceof HTMLTextAreaElement;
      const words = document.body.innerText.replaceAll(/\s+/g, " ").slice(-600);
      return `${location.pathname}, field "${isField ? activeElement.value : ""}": ${words}`;
    });
  }
}

/** Runs in the page. */
function findElements({ css, name, nameStart, text }: Target, isScrolled: boolean): Found[] {
  const textOf = (part: Element | null) => part?.textContent.trim() ?? "";
  const nameOf = (element: Element) => {
    const labelIds = element.getAttribute("aria-labelledby")?.split(" ");
    if (labelIds !== undefined) return labelIds.map((id) => textOf(document.getElementById(id))).join(" ");
    const label = element.getAttribute("aria-label");
    if (label !== null) return label;
    const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
    return textOf(isField ? (element.labels?.[0] ?? null) : element);
  };
  return [...document.querySelectorAll(css)]
    .filter(
      (element) =>
        element.checkVisibility({ visibilityProperty: true }) &&
        (name === undefined || nameOf(element) === name) &&
        (nameStart === undefined || nameOf(element).startsWith(nameStart)) &&
        (text === undefined || element.textContent.includes(text)),
    )
    .map((element, index) => {
      if (isScrolled && index === 0) element.scrollIntoView({ block: "nearest", behavior: "instant" });
      const { left, top, width, height } = element.getBoundingClientRect();
      const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
      const onTop = document.elementFromPoint(x, y);
      return { x, y, isReachable: onTop !== null && element.contains(onTop) };
    });
}
