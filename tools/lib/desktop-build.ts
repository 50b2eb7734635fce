import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { whyNoDesktopTest } from "@parley/e2e/electron";
import { drawPackageIcons } from "./desktop-icons.ts";
import { repository } from "./files.ts";
import { runTool } from "./process.ts";

const desktop = join(repository, "packages/desktop");

/** What only a web server needs: compressed variants, the service worker, which `app://` has not, and the stamp of the build. */
const NOT_FOR_DESKTOP = /(?:\.(?:br|gz)|[\\/](?:service-worker\.js|\.sources|\.vite|screenshots))$/;

/** Builds the application for the browser tests that start it, or says why they are skipped. */
export async function buildDesktopForTests(): Promise<void> {
  const reason = whyNoDesktopTest();
  if (reason === null) await buildDesktop();
  else console.log(`The tests of the desktop application in Electron are skipped. ${reason}`);
}

interface DesktopFolders {
  /** The built web client. */
  web?: string;
  /** Where the application is built; what was there is deleted. */
  out?: string;
}

/**
 * Builds the desktop application from the sources and the built web client: main process, preload script, client and icons, and a
 * manifest without dependencies, because everything is bundled. Electron runs that folder, and electron-builder packages it.
 */
export async function buildDesktop({
  web = join(repository, "packages/web/dist"),
  out = join(desktop, "out"),
}: DesktopFolders = {}): Promise<void> {
  if (!existsSync(join(web, "index.html"))) throw new Error(`${web} holds no built web client`);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const part of ["main", "preload"]) {
    const args = [
      "build",
      "--config",
      `${part}.config.ts`,
      "--outDir",
      join(out, part),
      "--logLevel",
      "warn",
    ];
    const result = await runTool("vite/bin/vite.js", args, { cwd: desktop });
    if (result.code !== 0) throw new Error(`the desktop application did not build\n${result.output}`);
  }
  cpSync(web, join(out, "web"), { recursive: true, filter: (file) => !NOT_FOR_DESKTOP.test(file) });
  await drawPackageIcons(join(out, "package-icons"));
  const { version, license } = JSON.parse(readFileSync(join(desktop, "package.json"), "utf8")) as {
    version: string;
    license: string;
  };
  const manifest = {
    name: "parley",
    productName: "Parley",
    description: "An instant messenger that you host yourself",
    version,
    license,
    type: "module",
    main: "main/main.js",
    // Desktops of Linux find the windows of the application by it.
    desktopName: "parley.desktop",
  };
  writeFileSync(join(out, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}
