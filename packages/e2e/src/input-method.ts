import type { CDPSession, Page } from "@playwright/test";

/** Keys that an input method takes for itself arrive with this code. */
const TAKEN = 229;

/** An input method of the operating system at work in the field that has the focus, as Chromium's protocol plays it. */
export class InputMethod {
  readonly #session: CDPSession;

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  static async of(page: Page): Promise<InputMethod> {
    return new InputMethod(await page.context().newCDPSession(page));
  }

  /** The letters under way, with the caret behind them. */
  async compose(text: string): Promise<void> {
    await this.#session.send("Input.imeSetComposition", {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  }

  /** Enter, which takes the word and means nothing else: the word comes between the key's way down and up. */
  async commit(word: string): Promise<void> {
    const key = { key: "Enter", code: "Enter", windowsVirtualKeyCode: TAKEN };
    await this.#session.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...key });
    await this.#session.send("Input.insertText", { text: word });
    await this.#session.send("Input.dispatchKeyEvent", { type: "keyUp", ...key });
  }

  /** The whole of it: letters, Enter, word. */
  async write(letters: string, word: string): Promise<void> {
    await this.compose(letters);
    await this.commit(word);
  }
}
