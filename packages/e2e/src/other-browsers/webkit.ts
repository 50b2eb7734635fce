import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { Builder, By, Key, Origin, type WebDriver } from "selenium-webdriver";
import { freePort } from "@parley/server/testing/local-programs";
import { type Driver, WINDOW } from "./driver.ts";
import { SCREEN_PATH, startScreen } from "./screen.ts";

const DRIVER_PATH = "/usr/bin/WebKitWebDriver";
/** Debian's programs. The driver brings the browser that it drives, WebKit's own small one. */
export const WEBKIT_PATHS: readonly string[] = [DRIVER_PATH, SCREEN_PATH];
const KEYS = { Enter: Key.ENTER, Escape: Key.ESCAPE, k: "k", v: "v" } as const;

/** The driver cannot press what is on no key, so such letters are inserted. */
const TYPED_PARTS = /[ -~]+|[^ -~]+/g;
const IS_ON_KEYS = /^[ -~]/;

/** Starts WebKit for GTK with a fresh profile, driven over WebDriver. */
export async function launchWebKit(): Promise<Driver> {
  const port = await freePort();
  const screen = await startScreen();
  const service = spawn(DRIVER_PATH, [`--port=${port}`], {
    env: { ...screen.env, LANG: "en_US.UTF-8", LANGUAGE: "en_US" },
    stdio: "ignore",
  });
  const stop = () => {
    service.kill();
    screen.close();
  };
  const driver = await connect(port).catch((error: unknown) => {
    stop();
    throw error;
  });
  await driver
    .manage()
    .window()
    .setRect({ x: 0, y: 0, ...WINDOW });
  const capabilities = await driver.getCapabilities();
  const errors: string[] = [];
  return {
    name: `WebKit for GTK ${String(capabilities.getBrowserVersion())}`,
    async open(url) {
      await driver.get(url);
      await driver.executeScript(collectErrors);
    },
    async reload() {
      errors.push(...(await driver.executeScript<string[]>(readErrors)));
      await driver.navigate().refresh();
      await driver.executeScript(collectErrors);
    },
    evaluate: (expression) => driver.executeScript(`return ${expression}`),
    async moveTo(x, y) {
      await driver.actions().move({ x, y, origin: Origin.VIEWPORT }).perform();
    },
    // The driver never lets go of the right button: it releases the left one instead. With a button held, the page gets no `pointerdown` for
    // the next press, so there are no right clicks.
    async clickAt(x, y) {
      await driver.actions().move({ x, y, origin: Origin.VIEWPORT }).click().perform();
    },
    async type(text) {
      for (const [part] of text.matchAll(TYPED_PARTS)) {
        if (IS_ON_KEYS.test(part)) await driver.actions().sendKeys(part).perform();
        else
          await driver.executeScript(
            (letters: string) => document.execCommand("insertText", false, letters),
            part,
          );
      }
    },
    async compose(letter) {
      const code = letter.codePointAt(0)?.toString(16) ?? "";
      await driver
        .actions()
        .keyDown(Key.CONTROL)
        .keyDown(Key.SHIFT)
        .sendKeys("u")
        .keyUp(Key.SHIFT)
        .keyUp(Key.CONTROL)
        .sendKeys(code, Key.ENTER)
        .perform();
    },
    async press(key, hasControl = false) {
      const actions = driver.actions();
      if (hasControl) await actions.keyDown(Key.CONTROL).sendKeys(KEYS[key]).keyUp(Key.CONTROL).perform();
      else await actions.sendKeys(KEYS[key]).perform();
    },
    async chooseFile(open, path) {
      // Nobody could close the desktop's dialog.
      await driver.executeScript(() => {
        const preventDialog = (event: Event) => event.preventDefault();
        document
          .querySelector("form input[type=file]")
          ?.addEventListener("click", preventDialog, { once: true });
      });
      await open();
      await driver.findElement(By.css("form input[type=file]")).sendKeys(path);
    },
    errors: async () => [...errors, ...(await driver.executeScript<string[]>(readErrors))],
    async close() {
      await driver.quit().finally(stop);
    },
  };
}

/** Connects once the service has started. */
async function connect(port: number): Promise<WebDriver> {
  for (let tries = 1; ; tries++) {
    try {
      return await new Builder()
        .disableEnvironmentOverrides()
        .usingServer(`http://127.0.0.1:${port}`)
        .withCapabilities({
          browserName: "MiniBrowser",
        })
        .build();
    } catch (error) {
      if (tries === 20) throw error;
      await sleep(500);
    }
  }
}

/** Runs in the page and collects its errors from now on. The driver reports none, so those while the page loads are missed. */
function collectErrors(): void {
  const errors: string[] = [];
  Object.assign(window, { journeyErrors: errors });
  const textOf = (thrown: unknown) =>
    thrown instanceof Error ? `${thrown.message} ${thrown.stack ?? ""}` : String(thrown);
  const { error: log } = console;
  console.error = (...parts: unknown[]) => {
    errors.push(parts.map((part) => textOf(part)).join(" "));
    log(...parts);
  };
  addEventListener("error", ({ error, message }) => errors.push(`uncaught: ${textOf(error ?? message)}`));
  addEventListener("unhandledrejection", ({ reason }) => errors.push(`uncaught: ${textOf(reason)}`));
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    errors.push(`content security policy: ${violatedDirective} blocked ${blockedURI}`),
  );
}

/** Runs in the page. */
function readErrors(): unknown {
  return "journeyErrors" in window ? window.journeyErrors : [];
}
