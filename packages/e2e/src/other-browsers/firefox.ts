import { launch } from "puppeteer-core";
import { type Driver, WINDOW } from "./driver.ts";

/** Debian's program. */
export const FIREFOX_PATH = "/usr/bin/firefox-esr";

/** What Firefox itself reports as an error when a server cannot be reached, or when a reload ends a request. */
const NETWORK =
  /^uncaught: Error: (?:Firefox can.t establish a connection|The connection to ws|Failed to load .http)/;

/** Starts Firefox with a fresh profile, without a window, driven over WebDriver BiDi. */
export async function launchFirefox(): Promise<Driver> {
  const browser = await launch({
    browser: "firefox",
    executablePath: FIREFOX_PATH,
    // A busy machine takes long.
    timeout: 120_000,
    protocolTimeout: 120_000,
    defaultViewport: WINDOW,
    extraPrefsFirefox: { "intl.accept_languages": "en-US", "intl.locale.requested": "en-US" },
  });
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(`${message.text()} (${message.location().url ?? ""})`);
  });
  page.on("pageerror", (error) => {
    errors.push(`uncaught: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  });
  // Firefox reports violations to the page only.
  await page.evaluateOnNewDocument(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      console.error(`content security policy: ${violatedDirective} blocked ${blockedURI}`);
    });
  });
  return {
    name: await browser.version(),
    async open(url) {
      await page.goto(url);
    },
    async reload() {
      await page.reload();
    },
    evaluate: (expression) => page.evaluate(expression),
    moveTo: (x, y) => page.mouse.move(x, y),
    clickAt: (x, y) => page.mouse.click(x, y),
    rightClickAt: (x, y) => page.mouse.click(x, y, { button: "right" }),
    type: (text) => page.keyboard.type(text),
    async press(key, hasControl = false) {
      if (hasControl) await page.keyboard.down("Control");
      await page.keyboard.press(key);
      if (hasControl) await page.keyboard.up("Control");
    },
    async chooseFile(open, path) {
      const [chooser] = await Promise.all([page.waitForFileChooser(), open()]);
      await chooser.accept([path]);
    },
    errors: () => Promise.resolve(errors.filter((text) => !NETWORK.test(text))),
    close: () => browser.close(),
  };
}
