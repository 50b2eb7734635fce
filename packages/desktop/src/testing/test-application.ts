import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, vi } from "vitest";
import { startApplication, type Host } from "../main/application.ts";
import { FakeElectron } from "./fake-electron.ts";
import { TestLog } from "./test-log.ts";

/** Each test of the file has the application anew. */
export function applicationOfEachTest(): TestApplication {
  const application = new TestApplication();
  beforeEach(() => application.renew());
  afterEach(() => {
    vi.useRealTimers();
    application.remove();
  });
  return application;
}

/** The application on a fake Electron, with a folder of its own for the user's data. */
class TestApplication {
  folder = "";
  electron = new FakeElectron();
  log = new TestLog();
  hasTray = true;

  /** A device on which it was never started. */
  renew(): void {
    this.folder = mkdtempSync(join(tmpdir(), "parley-desktop-"));
    this.hasTray = true;
    this.#renewProcess();
  }

  /** Starts it, and the page unless the test says otherwise. */
  async start(host: Partial<Host> = {}, { isPageStarted = true } = {}): Promise<void> {
    const started = startApplication(
      this.electron,
      {
        platform: "linux",
        argv: ["/opt/parley/parley"],
        executable: "/opt/parley/parley",
        environment: {},
        home: join(this.folder, "home"),
        webFolder: join(this.folder, "web"),
        preload: "/opt/parley/preload.cjs",
        hasTrayHost: async () => this.hasTray,
        ...host,
      },
      this.log,
    );
    this.electron.app.becomeReady();
    await started;
    if (!isPageStarted) return;
    await this.electron.startPage();
    this.electron.windows[0]?.emit("ready-to-show");
  }

  /** The next run with the data of this one. */
  async restart(...options: Parameters<TestApplication["start"]>): Promise<void> {
    this.#end();
    this.#renewProcess();
    await this.start(...options);
  }

  ask(name: string, input: unknown): Promise<unknown> {
    return this.electron.ipcMain.invoke(name, input);
  }

  /** What the page heard by this name. */
  heard(name: string): unknown[] {
    return this.electron.window.webContents.heardBy(name);
  }

  /** Ends it, and deletes the data. */
  remove(): void {
    this.#end();
    rmSync(this.folder, { recursive: true });
  }

  /** As Electron: first the windows close, which also ends what they wait for. */
  #end(): void {
    this.electron.app.quit();
    for (const window of this.electron.windows) if (!window.isDestroyed()) window.close();
    this.electron.app.emit("will-quit");
  }

  #renewProcess(): void {
    this.electron = new FakeElectron(this.folder);
    this.log = new TestLog();
  }
}
