import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { Builder, Button, By, Key, Origin, type WebDriver } from "selenium-webdriver";
import { freePort } from "../server.ts";
import { type Driver, WINDOW } from "./driver.ts";

const DRIVER_PATH = "/usr/bin/WebKitWebDriver";
const SCREEN_PATH = "/usr/bin/Xvfb";
/** Debian's programs. The driver brings the browser that it drives, WebKit's own small one. */
export const WEBKIT_PATHS: readonly string[] = [DRIVER_PATH, SCREEN_PATH];
const KEYS = { Enter: Key.ENTER, Escape: Key.ESCAPE, k: "k", v: "v" } as const;

/** Starts WebKit for GTK with a fresh profile on a screen that nobody sees, driven over WebDriver. */
export async function launchWebKit(): Promise<Driver> {
  const port = await freePort();
  const { screen, display } = await startScreen();
  const service = spawn(DRIVER_PATH, [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display, LANG: "en_US.UTF-8", LANGUAGE: "en_US" },
    stdio: "ignore",
  });
  const stop = () => {
    service.kill();
    screen.kill();
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
  return {
    name: `WebKit for GTK ${String(capabilities.getBrowserVersion())}`,
    open: (url) => driver.get(url),
    reload: () => driver.navigate().refresh(),
    evaluate: (expression) => driver.executeScript(`return ${expression}`),
    async clickAt(x, y, button = "left") {
      const used = button === "left" ? Button.LEFT : Button.RIGHT;
      await driver.actions().move({ x, y, origin: Origin.VIEWPORT }).press(used).release(used).perform();
    },
    type: (text) => driver.actions().sendKeys(text).perform(),
    async press(key, hasControl = false) {
      const actions = driver.actions();
      if (hasControl) await actions.keyDown(Key.CONTROL).sendKeys(KEYS[key]).keyUp(Key.CONTROL).perform();
      else await actions.sendKeys(KEYS[key]).perform();
    },
    async chooseFile(open, path) {
      await open();
      await driver.findElement(By.css("form input[type=file]")).sendKeys(path);
    },
    errors: () => Promise.resolve([]),
    async close() {
      await driver.quit();
      stop();
    },
  };
}

async function startScreen(): Promise<{ screen: ChildProcess; display: string }> {
  const screen = spawn(SCREEN_PATH, ["-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const number = await new Promise<string>((resolve, reject) => {
    screen.once("error", reject);
    screen.once("exit", () => reject(new Error("Xvfb ended")));
    screen.stdout.setEncoding("utf8").once("data", (text: string) => resolve(text.trim()));
  });
  return { screen, display: `:${number}` };
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
