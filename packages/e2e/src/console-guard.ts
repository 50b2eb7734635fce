import type { BrowserContext } from "@playwright/test";

/** Errors that Chromium itself logs when a server cannot be reached. They are always allowed, for the tests that stop servers. */
const NETWORK = [/^WebSocket connection to /, /^Failed to load resource: net::ERR_/];

/**
 * A preview of a picture that is rendered while its page is being closed. Chromium counts pictures that begin to load then as pings, for which
 * the policy allows no `data:`. As pictures they are allowed, and nobody sees this one.
 */
const CLOSING =
  /^Connecting to 'data:image\/webp;base64,[^']+' violates the following Content Security Policy directive: "connect-src /;

/** Collects the errors of all pages of a browser context: console errors (also of the content security policy) and uncaught errors. */
export class ConsoleGuard {
  readonly #errors: string[] = [];
  readonly #allowed: RegExp[] = [...NETWORK, CLOSING];

  constructor(context: BrowserContext) {
    context.on("console", (message) => {
      if (message.type() === "error") this.#errors.push(`${message.text()} (${message.location().url})`);
    });
    context.on("weberror", (webError) => {
      const thrown = webError.error();
      this.#errors.push(`uncaught: ${thrown.stack ?? thrown.message}`);
    });
  }

  /** Allows an error that the test causes on purpose. */
  allow(text: RegExp): void {
    this.#allowed.push(text);
  }

  /** The collected errors that are not allowed. */
  unexpectedErrors(): string[] {
    return this.#errors.filter((text) => !this.#allowed.some((allowed) => allowed.test(text)));
  }
}
