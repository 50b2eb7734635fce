import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { launch } from "puppeteer-core";
import { type Driver, WINDOW } from "./driver.ts";
import { SCREEN_PATH, startScreen } from "./screen.ts";

const FIREFOX_PATH = "/usr/bin/firefox-esr";
/** Presses keys as a keyboard does, so that they reach the input method. */
const KEYBOARD_PATH = "/usr/bin/xdotool";
/** Debian's programs. */
export const FIREFOX_PATHS: readonly string[] = [FIREFOX_PATH, SCREEN_PATH, KEYBOARD_PATH];

/** What Firefox itself reports as an error when a server cannot be reached, or when a reload ends a request. */
const NETWORK =
  /^uncaught: Error: (?:Firefox can.t establish a connection|The connection to ws|Failed to load .http)/;

/** Preferences for a camera and a microphone of its own, which it uses without asking. */
const TEST_DEVICES = { "media.navigator.streams.fake": true, "media.navigator.permission.disabled": true };

/** Starts Firefox with a fresh profile and test devices, driven over WebDriver BiDi. `env` is added to its environment. */
export async function launchFirefox(env: NodeJS.ProcessEnv = {}): Promise<Driver> {
  const screen = await startScreen();
  const browser = await launch({
    browser: "firefox",
    executablePath: FIREFOX_PATH,
    // Without a window there is no input method.
    headless: false,
    env: { ...screen.env, ...env },
    // A busy machine takes long.
    timeout: 120_000,
    protocolTimeout: 120_000,
    defaultViewport: WINDOW,
    extraPrefsFirefox: {
      "intl.accept_languages": "en-US",
      "intl.locale.requested": "en-US",
      // Otherwise fields only seem to have the focus, and no input method serves them.
      "focusmanager.testmode": false,
      ...TEST_DEVICES,
    },
  }).catch((error: unknown) => {
    screen.close();
    throw error;
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
    name: (await browser.version()).replace("firefox/", "Firefox "),
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
    async compose(letter) {
      const code = letter.codePointAt(0)?.toString(16) ?? "";
      const keys = ["ctrl+shift+u", ...code, "Return"];
      await promisify(execFile)(KEYBOARD_PATH, ["key", ...keys], { env: screen.env });
    },
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
    close: () => browser.close().finally(screen.close),
  };
}
