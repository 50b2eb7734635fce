// Makes packages of the built desktop application: `npm run desktop -- package`. Its packages are not those of the repository.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "electron-builder";
import { configuration } from "./electron-builder.config.ts";

const { values } = parseArgs({
  options: {
    windows: { type: "boolean", default: false },
    macos: { type: "boolean", default: false },
    linux: { type: "boolean", default: false },
    /** Kinds of packages instead of those that the configuration names, such as `dir`, a folder. */
    target: { type: "string", multiple: true, default: [] },
    /** The built application and the packages, if they are elsewhere. */
    app: { type: "string" },
    output: { type: "string" },
  },
});
const manifest = readFileSync(join(import.meta.dirname, "../package.json"), "utf8");
const { devDependencies } = JSON.parse(manifest) as { devDependencies: { electron: string } };
const app = resolve(values.app ?? join(import.meta.dirname, "../out"));
/** A folder with Electron's files, which are otherwise downloaded for each system. */
const electronDist = process.env["ELECTRON_OVERRIDE_DIST_PATH"];

await build({
  projectDir: import.meta.dirname,
  publish: "never",
  // No system stands for the one of this machine, and no target for those that the configuration names.
  ...(values.windows && { win: values.target }),
  ...(values.macos && { mac: values.target }),
  ...(values.linux && { linux: values.target }),
  config: {
    ...configuration,
    electronVersion: devDependencies.electron,
    directories: {
      ...configuration.directories,
      app,
      ...(values.output !== undefined && { output: resolve(values.output) }),
    },
    // Drawn with the application (tools/lib/desktop-icons.ts).
    win: { ...configuration.win, icon: join(app, "package-icons/icon.ico") },
    mac: { ...configuration.mac, icon: join(app, "package-icons/icon.icns") },
    linux: { ...configuration.linux, icon: join(app, "package-icons/linux") },
    ...(electronDist !== undefined && { electronDist }),
  },
});
