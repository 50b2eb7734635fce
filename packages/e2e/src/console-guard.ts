import type { BrowserContext } from "@playwright/test";

/** What Chromium writes by itself when a server is not there. Every test that stops one would have to name it. */
const NETWORK = [/^WebSocket connection to /, /^Failed to load resource: net::ERR_/];

/** Hears every page of a browser profile: errors in its console (also those of the content security policy) and uncaught ones. */
export class ConsoleGuard {
  readonly #errors: string[] = [];
  readonly #allowed: RegExp[] = [...NETWORK];

  constructor(context: BrowserContext) {
    context.on("console", (message) => {
      if (message.type() === "error") this.#errors.push(`${message.text()} (${message.location().url})`);
    });
    context.on("weberror", (webError) => {
      const thrown = webError.error();
      this.#errors.push(`uncaught: ${thrown.stack ?? thrown.message}`);
    });
  }

  /** For a test that brings an error about. */
  allow(text: RegExp): void {
    this.#allowed.push(text);
  }

  /** What was heard and is not allowed. */
  unexpectedErrors(): string[] {
    return this.#errors.filter((text) => !this.#allowed.some((allowed) => allowed.test(text)));
  }
}
