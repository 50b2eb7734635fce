import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { applicationOfEachTest } from "../testing/test-application.ts";
import { hasTrayHost, type RunProgram } from "./tray-host.ts";

const application = applicationOfEachTest();

describe("a secret", () => {
  test("is opened by the device that sealed it", async () => {
    await application.start();
    const sealed = await application.ask("sealSecret", "pässword");
    expect(Buffer.from(String(sealed), "base64").toString()).not.toContain("pässword");
    expect(await application.ask("openSecret", sealed)).toBe("pässword");
  });

  test("of another device is not opened, and the log does not have it", async () => {
    await application.start();
    expect(await application.ask("openSecret", Buffer.from("foreign").toString("base64"))).toBeNull();
    expect(application.log.said).toContain("a secret cannot be opened");
    expect(JSON.stringify(application.log.entries)).not.toContain("foreign");
  });

  test.each([
    ["win32", false, "gnome_libsecret", false],
    ["linux", true, "basic_text", false],
    ["linux", true, "unknown", false],
    ["linux", true, "kwallet6", true],
    ["darwin", true, "basic_text", true],
  ] as const)(
    "on %s (available: %s, key store %s) is sealed: %s",
    async (platform, isAvailable, backend, isSealed) => {
      Object.assign(application.electron.safeStorage, { isAvailable, backend });
      await application.start({ platform });
      const sealed = Buffer.from("sealed:x").toString("base64");
      expect((await application.ask("sealSecret", "x")) !== null).toBe(isSealed);
      expect(await application.ask("openSecret", sealed)).toBe(isSealed ? "x" : null);
    },
  );
});

test.each([
  ["linux", true],
  ["win32", false],
] as const)(
  "a secret that a key known to everybody would seal is refused on %s: %s",
  async (platform, isRefused) => {
    Object.assign(application.electron.safeStorage, { mark: "v10" });
    await application.start({ platform });
    expect((await application.ask("sealSecret", "x")) === null).toBe(isRefused);
    expect(await application.ask("openSecret", Buffer.from("v10x").toString("base64"))).toBeNull();
  },
);

describe("starting at login", () => {
  const set = (opensAtLogin: boolean) => application.ask("changeSettings", { opensAtLogin });
  const isOn = async () => {
    const { settings } = (await application.electron.startPage()) as { settings: { opensAtLogin: boolean } };
    return settings.opensAtLogin;
  };
  const autostart = (folder = "home/.config") => join(application.folder, folder, "autostart/parley.desktop");
  const line = (text: string) =>
    readFileSync(text, "utf8")
      .split("\n")
      .find((line) => line.startsWith("Exec="));

  test("is an entry of the desktop on Linux, which is removed again", async () => {
    await application.start();
    expect(await isOn()).toBe(false);
    expect(await set(true)).toMatchObject({ opensAtLogin: true });
    expect(line(autostart())).toBe('Exec="/opt/parley/parley" "--hidden"');
    await application.restart();
    expect(await isOn()).toBe(true);
    await set(false);
    expect(existsSync(autostart())).toBe(false);
  });

  test("follows the folder of the configuration and the AppImage", async () => {
    const environment = {
      XDG_CONFIG_HOME: join(application.folder, "config"),
      APPIMAGE: '/home/ann/100% "new"/$app\\`.AppImage',
    };
    await application.start({ environment });
    await set(true);
    // Quoted for the shell of the specification, and once more as a string of the file.
    expect(line(autostart("config"))).toBe(
      String.raw`Exec="/home/ann/100%% \\"new\\"/\\$app\\\\\\` + '`.AppImage" "--hidden"',
    );
  });

  test.each(["Hidden=true", "X-GNOME-Autostart-enabled=false"])(
    "is off when the person has switched it off in the system by %s",
    async (line) => {
      mkdirSync(join(application.folder, "home/.config/autostart"), { recursive: true });
      writeFileSync(autostart(), `[Desktop Entry]\nType=Application\n${line}\n`);
      await application.start();
      expect(await isOn()).toBe(false);
    },
  );

  test("that the system does not take is an error of the page and stays off", async () => {
    await application.start();
    writeFileSync(join(application.folder, "home"), "a file where the folder should be");
    await expect(set(true)).rejects.toThrow("changeSettings failed");
    expect(await isOn()).toBe(false);
    rmSync(join(application.folder, "home"));
  });

  test("is an entry of the registry on Windows", async () => {
    await application.start({ platform: "win32", executable: "C:/Parley/parley.exe" });
    await set(true);
    expect(application.electron.app.loginItem).toEqual({
      openAtLogin: true,
      path: "C:/Parley/parley.exe",
      args: ["--hidden"],
    });
    expect(await isOn()).toBe(true);
  });

  test("is a login item on macOS, which takes no arguments", async () => {
    await application.start({ platform: "darwin" });
    await set(true);
    expect(application.electron.app.loginItem).toEqual({ openAtLogin: true });
  });

  test("of a checkout starts Electron with the application", async () => {
    application.electron.app.isPackaged = false;
    await application.start();
    await set(true);
    expect(line(autostart())).toBe(`Exec="/opt/parley/parley" "${application.folder}/app" "--hidden"`);
  });
});

test("settings that cannot be written hold until the end, and the log says so", async () => {
  await application.start();
  const file = join(application.folder, "userData");
  writeFileSync(file, "a file where the folder should be");
  chmodSync(file, 0o600);
  expect(await application.ask("changeSettings", { closeAction: "hide" })).toMatchObject({
    closeAction: "hide",
  });
  expect(application.log.said).toContain("a file cannot be written");
});

describe("something shows tray icons", () => {
  /** Answers of programs; an error is a program that is missing or fails. */
  const run =
    (answers: Record<string, string>): RunProgram =>
    async (program) => {
      const answer = answers[program];
      if (answer === undefined) throw new Error(`no ${program}`);
      return answer;
    };

  test.each([
    ["linux", { gdbus: "(<true>,)\n" }, true],
    ["linux", { gdbus: "(<false>,)\n" }, false],
    ["linux", { "dbus-send": "   variant       boolean true\n" }, true],
    ["linux", { "dbus-send": "   variant       boolean false\n" }, false],
    ["linux", {}, false],
    ["darwin", {}, true],
    ["win32", {}, true],
  ] as const)("on %s, where programs answer %o: %s", async (platform, answers, expected) => {
    expect(await hasTrayHost(platform, run(answers))).toBe(expected);
  });
});
