import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApplication, type Host } from "../main/application.ts";
import { FakeElectron } from "./fake-electron.ts";
import { TestLog } from "./test-log.ts";

/** The application on a fake Electron, with a folder of its own for the user's data. */
export class TestApplication {
  readonly folder = mkdtempSync(join(tmpdir(), "parley-desktop-"));
  readonly electron = new FakeElectron(this.folder);
  readonly log = new TestLog();
  hasTray = true;

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
  restarted(): TestApplication {
    const next = new TestApplication();
    rmSync(next.folder, { recursive: true });
    return Object.assign(next, { folder: this.folder, electron: new FakeElectron(this.folder) });
  }

  ask(name: string, input: unknown): Promise<unknown> {
    return this.electron.ipcMain.invoke(name, input);
  }

  /** What the page heard by this name. */
  heard(name: string): unknown[] {
    return this.electron.window.webContents.heardBy(name);
  }

  /** Ends what still waits, and deletes the data. */
  remove(): void {
    this.electron.app.emit("will-quit");
    rmSync(this.folder, { recursive: true });
  }
}
