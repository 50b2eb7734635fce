import type { CDPSession, Page } from "@playwright/test";

/** The key code of keys that an input method handles itself. */
const IME_KEY_CODE = 229;

/** An input method of the operating system, simulated with Chromium's protocol in the focused field. */
export class InputMethod {
  readonly #session: CDPSession;

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  /** An input method for the fields of this page. */
  static async of(page: Page): Promise<InputMethod> {
    return new InputMethod(await page.context().newCDPSession(page));
  }

  /** Shows letters that are being composed, with the caret behind them. */
  async compose(text: string): Promise<void> {
    await this.#session.send("Input.imeSetComposition", {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  }

  /** Presses Enter to accept the word and nothing else: the word is inserted between keydown and keyup. */
  async commit(word: string): Promise<void> {
    const key = { key: "Enter", code: "Enter", windowsVirtualKeyCode: IME_KEY_CODE };
    await this.#session.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...key });
    await this.#session.send("Input.insertText", { text: word });
    await this.#session.send("Input.dispatchKeyEvent", { type: "keyUp", ...key });
  }

  /** Composes letters and accepts the word with Enter. */
  async write(letters: string, word: string): Promise<void> {
    await this.compose(letters);
    await this.commit(word);
  }
}
