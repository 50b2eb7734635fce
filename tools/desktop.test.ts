import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { HOW_TO_GET_ELECTRON } from "@parley/e2e/electron";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildDesktop } from "./lib/desktop-build.ts";
import { installPackaging, packageDesktop, packagingFolder } from "./lib/desktop-packaging.ts";
import { repository } from "./lib/files.ts";
import { run, runTool } from "./lib/process.ts";

/** How Electron's binaries mark the place of their fuses: then come the version, the number of fuses, and one character for each. */
const FUSES = "dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX";

/** As `@electron/fuses` orders them. The last one is newer than the electron-builder of this repository, which leaves it alone. */
const FUSE_NAMES = [
  "runAsNode",
  "enableCookieEncryption",
  "enableNodeOptionsEnvironmentVariable",
  "enableNodeCliInspectArguments",
  "enableEmbeddedAsarIntegrityValidation",
  "onlyLoadAppFromAsar",
  "loadBrowserProcessSpecificV8Snapshot",
  "grantFileProtocolExtraPrivileges",
  "newer",
] as const;

const SECURE_FUSES: Record<(typeof FUSE_NAMES)[number], boolean> = {
  runAsNode: false,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  loadBrowserProcessSpecificV8Snapshot: false,
  grantFileProtocolExtraPrivileges: false,
  newer: true,
};

const folder = mkdtempSync(join(tmpdir(), "parley-desktop-"));
const out = join(folder, "out");
const packages = join(folder, "packages");
const fpmFolder = join(folder, "fpm");
let problems = "";

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, content: string | Buffer = ""): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** The files of a built client that are looked at here. */
function writeWebClient(web: string): void {
  for (const name of ["index.html", "index.html.br", "index.html.gz", "service-worker.js", ".sources"])
    write(join(web, name), name);
  write(join(web, "assets/index-1234.js"), "1;");
}

/** The opposite of what is wanted, except for the fuse that nothing sets. */
function fuseWire(): Buffer {
  const states = FUSE_NAMES.map((name) => (SECURE_FUSES[name] === (name === "newer") ? "1" : "0")).join("");
  return Buffer.concat([Buffer.from(FUSES), Buffer.from([1, FUSE_NAMES.length]), Buffer.from(states)]);
}

/** The files of Electron that electron-builder expects, for all three systems, with binaries that only have fuses. */
function writeElectron(dist: string): void {
  const plist = (name: string) =>
    `<?xml version="1.0"?><plist version="1.0"><dict><key>CFBundleName</key><string>${name}</string></dict></plist>`;
  write(join(dist, "electron"), fuseWire());
  chmodSync(join(dist, "electron"), 0o755);
  // Only a real program for Windows has the resources into which the hash of the archive is written.
  const program = join(packagingFolder, "node_modules/electron-winstaller/vendor/rcedit.exe");
  write(join(dist, "electron.exe"), Buffer.concat([readFileSync(program), fuseWire()]));
  for (const name of [
    "LICENSE",
    "LICENSES.chromium.html",
    "locales/en-US.pak",
    "locales/de.pak",
    "resources/x",
  ])
    write(join(dist, name));
  const contents = join(dist, "Electron.app/Contents");
  write(join(contents, "Info.plist"), plist("Electron"));
  write(join(contents, "MacOS/Electron"));
  write(join(contents, "Resources/electron.icns"));
  const framework = join(contents, "Frameworks/Electron Framework.framework");
  write(join(framework, "Electron Framework"), fuseWire());
  write(join(framework, "Versions/A/Resources/en.lproj/locale.pak"));
  for (const helper of ["Helper", "Helper (GPU)", "Helper (Plugin)", "Helper (Renderer)"]) {
    const app = join(contents, `Frameworks/Electron ${helper}.app/Contents`);
    write(join(app, "Info.plist"), plist(helper));
    write(join(app, `MacOS/Electron ${helper}`));
  }
}

/** A program in the place of fpm, which makes Debian packages: it keeps its arguments and the .desktop file. */
function writeFpm(): string {
  const program = join(fpmFolder, "fpm");
  const text = `#!/bin/sh
printf '%s\\n' "$@" > '${fpmFolder}/arguments'
for one in "$@"; do
  case "$one" in *.desktop=*) cp "\${one%%=*}" '${fpmFolder}/parley.desktop' ;; esac
done
`;
  write(program, text);
  chmodSync(program, 0o755);
  return program;
}

/** The folder with the unpacked application of a system; electron-builder adds the processor to its name on some machines. */
function unpacked(system: "linux" | "mac" | "win"): string {
  const pattern = new RegExp(`^${system}(-arm64)?(-unpacked)?$`);
  const name = readdirSync(packages).find((entry) => pattern.test(entry));
  return join(packages, name ?? "missing");
}

/** The paths of the files in an archive of Electron. */
async function filesInArchive(archive: string): Promise<string[]> {
  const asarModule = join(packagingFolder, "node_modules/@electron/asar/lib/asar.js");
  const asar = (await import(pathToFileURL(asarModule).href)) as {
    listPackage(path: string): string[];
    statFile(path: string, name: string): { files?: unknown };
  };
  return asar
    .listPackage(archive)
    .map((path) => path.replaceAll("\\", "/").slice(1))
    .filter((path) => asar.statFile(archive, path).files === undefined)
    .sort();
}

/** What is looked at of the configuration, whose own type is there only after an install. */
interface PackagingConfiguration {
  protocols: { schemes: string[] }[];
  nsis: { include: string };
  mac: { hardenedRuntime: boolean; entitlements: string; entitlementsInherit: string };
}

async function readConfiguration(): Promise<PackagingConfiguration> {
  const file = pathToFileURL(join(packagingFolder, "electron-builder.config.ts")).href;
  const module = (await import(file)) as { configuration: PackagingConfiguration };
  return module.configuration;
}

function readFuses(binary: string): Record<string, boolean> {
  const content = readFileSync(binary);
  const start = content.indexOf(FUSES) + FUSES.length + 2;
  return Object.fromEntries(
    FUSE_NAMES.map((name, index) => [name, content[start + index] === "1".charCodeAt(0)]),
  );
}

describe.skipIf(process.platform === "win32")("packages of all systems", () => {
  beforeAll(async () => {
    const web = join(folder, "web");
    const dist = join(folder, "electron");
    writeWebClient(web);
    await installPackaging();
    await buildDesktop({ web, out });
    writeElectron(dist);
    const env = { ELECTRON_OVERRIDE_DIST_PATH: dist, CUSTOM_FPM_PATH: writeFpm() };
    const folders = ["--app", out, "--output", packages];
    const finished = await Promise.all([
      packageDesktop(["--linux", "--target", "deb", ...folders], { env }),
      packageDesktop(["--macos", "--windows", "--target", "dir", ...folders], { env }),
    ]);
    problems = finished
      .filter(({ code }) => code !== 0)
      .map(({ output }) => output)
      .join("\n");
  });

  test("the configuration makes packages for Linux, macOS and Windows", () => {
    expect(problems).toBe("");
  });

  test.each(["linux", "mac", "win"] as const)(
    "the archive for %s holds what was built, and no sources, tests or packages",
    async (system) => {
      const resources = system === "mac" ? "Parley.app/Contents/Resources" : "resources";
      const files = await filesInArchive(join(unpacked(system), resources, "app.asar"));
      expect(files).toEqual([
        "main/main.js",
        "main/third-party-licences.txt",
        "package.json",
        "preload/preload.cjs",
        "web/assets/index-1234.js",
        "web/index.html",
      ]);
    },
  );

  test.each([
    ["linux", "parley"],
    ["mac", "Parley.app/Contents/Frameworks/Electron Framework.framework/Electron Framework"],
    ["win", "Parley.exe"],
  ] as const)("the fuses of the binary for %s are set", (system, binary) => {
    expect(readFuses(join(unpacked(system), binary))).toEqual(SECURE_FUSES);
  });

  test("the bundles import nothing but Electron and Node, the preload script only Electron", () => {
    const main = readFileSync(join(out, "main/main.js"), "utf8");
    const imported = [...main.matchAll(/^(?:import|export) .*?from "([^"]+)";$/gm)].map(([, name]) => name);
    expect(imported).toContain("electron");
    expect(imported.filter((name) => name !== "electron" && name?.startsWith("node:") !== true)).toEqual([]);
    expect(main).not.toMatch(
      /allowRunningInsecureContent|experimentalFeatures|[bB]linkFeatures|allowpopups|no-sandbox/,
    );
    for (const [icon] of main.matchAll(/icons\/[\w-]+\.png/g))
      expect(existsSync(join(repository, "packages/web/public", icon)), icon).toBe(true);
    const preload = readFileSync(join(out, "preload/preload.cjs"), "utf8");
    const required = [...preload.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name);
    expect(new Set(required)).toEqual(new Set(["electron"]));
    expect(preload).not.toMatch(/^(?:import|export) /m);
  });

  test("the page loads its files from absolute paths, so that they work below app://parley/", () => {
    const page = readFileSync(join(repository, "packages/web/index.html"), "utf8");
    const addresses = [...page.matchAll(/ (?:src|href)="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of addresses) expect(address).toMatch(/^\/[a-z]/);
  });

  test("the desktop of Linux hands links to the application and finds its windows and icons", () => {
    const entry = readFileSync(join(fpmFolder, "parley.desktop"), "utf8");
    for (const line of [
      "Name=Parley",
      "Exec=/opt/Parley/parley %U",
      "MimeType=x-scheme-handler/parley;",
      "StartupWMClass=parley",
      "Categories=Network;InstantMessaging;",
    ])
      expect(entry.split("\n")).toContain(line);
    const args = readFileSync(join(fpmFolder, "arguments"), "utf8").split("\n");
    expect(args).toContain("Apache-2.0");
    const targets = args.map((arg) => arg.split("=").at(-1));
    expect(targets).toContain("/usr/share/applications/parley.desktop");
    expect(targets).toContain("/usr/share/icons/hicolor/512x512/apps/parley.png");
  });

  test("macOS knows the links, the hash of the archive, and why devices are used, in each language", () => {
    const app = join(unpacked("mac"), "Parley.app/Contents");
    const info = readFileSync(join(app, "Info.plist"), "utf8");
    expect(info).toMatch(/<key>CFBundleURLSchemes<\/key>\s*<array>\s*<string>parley<\/string>/);
    expect(info).toMatch(/<key>ElectronAsarIntegrity<\/key>\s*<dict>\s*<key>Resources\/app.asar<\/key>/);
    const [, id = ""] = /<key>CFBundleIdentifier<\/key>\s*<string>(.+)<\/string>/.exec(info) ?? [];
    expect(id).toBe("org.parley.desktop");
    const reasons = [...info.matchAll(/<key>(NS\w+UsageDescription)<\/key>/g)]
      .map(([, key]) => key ?? "")
      .sort();
    expect(reasons).toContain("NSMicrophoneUsageDescription");
    expect(reasons).toContain("NSCameraUsageDescription");
    for (const language of ["zh_CN", "zh_TW"]) {
      const texts = readFileSync(join(app, `Resources/${language}.lproj/InfoPlist.strings`), "utf8");
      const keys = [...texts.matchAll(/^"(\w+)" = ".+";$/gm)].map(([, key]) => key ?? "").sort();
      expect(keys).toEqual(reasons);
    }
    expect(existsSync(join(app, "Resources/icon.icns"))).toBe(true);
  });

  test("the installer of Windows registers the links and the uninstaller removes them", async () => {
    const { nsis, protocols } = await readConfiguration();
    const text = readFileSync(join(packagingFolder, nsis.include), "utf8");
    const script = (name: string) =>
      readFileSync(join(packagingFolder, "node_modules/app-builder-lib/templates/nsis", name), "utf8");
    for (const [macro, template, instruction] of [
      ["customInstall", "installSection.nsh", "WriteRegStr"],
      ["customUnInstall", "uninstaller.nsh", "DeleteRegKey"],
    ] as const) {
      expect(script(template)).toMatch(new RegExp(`!insertmacro ${macro}$`, "m"));
      const [, body = ""] = new RegExp(`^!macro ${macro}$(.*?)^!macroend$`, "ms").exec(text) ?? [];
      for (const scheme of protocols.flatMap(({ schemes }) => schemes))
        expect(body).toContain(`${instruction} SHELL_CONTEXT "Software\\Classes\\${scheme}"`);
    }
    expect(text).toContain(String.raw`\shell\open\command" "" '"$appExe" "%1"'`);
    expect(script("installSection.nsh")).toContain("StrCpy $appExe ");
  });

  test("the signed application of macOS may use microphone and camera, and nothing else", async () => {
    const { hardenedRuntime, entitlements, entitlementsInherit } = (await readConfiguration()).mac;
    expect([hardenedRuntime, entitlementsInherit]).toEqual([true, entitlements]);
    const text = readFileSync(join(packagingFolder, entitlements), "utf8");
    expect([...text.matchAll(/<key>(.+)<\/key>\s*<true\/>/g)].map(([, key]) => key)).toEqual([
      "com.apple.security.cs.allow-jit",
      "com.apple.security.device.audio-input",
      "com.apple.security.device.camera",
    ]);
  });

  test("Windows finds the name and the hash of the archive in the program", () => {
    const program = readFileSync(join(unpacked("win"), "Parley.exe"));
    expect(program.includes(Buffer.from("Parley", "utf16le"))).toBe(true);
    expect(program.toString("latin1")).toMatch(
      /"file":"resources\\\\app.asar","alg":"SHA256","value":"[0-9a-f]{64}"/i,
    );
    // The shortcut of the installer has the same id, or Windows shows no notifications.
    expect(readFileSync(join(out, "main/main.js"), "utf8")).toContain('"org.parley.desktop"');
  });

  test("the configuration has the types of electron-builder", async () => {
    const { code, output } = await runTool("typescript/bin/tsc", [
      "-p",
      join(packagingFolder, "tsconfig.json"),
    ]);
    expect({ code, output }).toEqual({ code: 0, output: "" });
  });
});

test("without Electron's binary the command ends with a sentence that says how to get it", async () => {
  const env = { ELECTRON_OVERRIDE_DIST_PATH: join(folder, "nothing") };
  const { code, output } = await run(process.execPath, [join(repository, "tools/desktop.ts")], { env });
  expect({ code, output }).toEqual({ code: 1, output: `parley: ${HOW_TO_GET_ELECTRON}\n` });
});
