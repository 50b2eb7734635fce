import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { buildWeb } from "./lib/web-build.ts";

let root: string;
let web: string;

const SERVICE_WORKER_CONFIG = `export default {
  publicDir: false,
  build: {
    emptyOutDir: false,
    rolldownOptions: { input: "src/service-worker.ts", output: { entryFileNames: "service-worker.js" } },
  },
};
`;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-build-"));
  web = join(root, "packages/web");
  mkdirSync(join(web, "src"), { recursive: true });
  writeFileSync(join(root, "package-lock.json"), "{}");
  writeFileSync(join(web, "index.html"), '<html><script type="module" src="/src/main.ts"></script></html>\n');
  writeFileSync(join(web, "service-worker.config.ts"), SERVICE_WORKER_CONFIG);
  writeFileSync(join(web, "src/service-worker.ts"), "self.addEventListener('fetch', () => undefined);\n");
  writeSource("first");
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true });
});

function writeSource(word: string): void {
  writeFileSync(join(web, "src/main.ts"), `document.title = "${word} ${"long ".repeat(300)}";\n`);
}

function builtScript(): string {
  const assets = join(web, "dist/assets");
  const script = readdirSync(assets).find((name) => name.endsWith(".js")) ?? "";
  return readFileSync(join(assets, script), "utf8");
}

test("the client is built once and again after a change of a source", async () => {
  await buildWeb(root);
  expect(builtScript()).toContain("first");
  expect(readdirSync(join(web, "dist"))).toContain("service-worker.js");
  expect(readdirSync(join(web, "dist/assets")).filter((name) => /\.js\.(?:gz|br)$/.test(name))).toHaveLength(
    2,
  );
  const { ino, mtimeMs } = statSync(join(web, "dist"));

  await buildWeb(root);
  expect(statSync(join(web, "dist"))).toMatchObject({ ino, mtimeMs });

  writeSource("second");
  await buildWeb(root);
  expect(builtScript()).toContain("second");
});

test("scripts are compressed unless compression makes them larger", async () => {
  mkdirSync(join(web, "public"));
  writeFileSync(join(web, "public/theme.js"), `document.title = "${"dark ".repeat(60)}";\n`);
  writeFileSync(join(web, "public/tiny.js"), "1;\n");
  await buildWeb(root);
  const built = readdirSync(join(web, "dist")).filter((name) => /^t.*\.js/.test(name));
  expect(built.sort()).toEqual(["theme.js", "theme.js.br", "theme.js.gz", "tiny.js"]);
});

test("a failed build leaves the previous client and is tried again", async () => {
  await buildWeb(root);
  writeFileSync(join(web, "src/main.ts"), 'import "./nothing.ts";\n');
  await expect(buildWeb(root)).rejects.toThrow("did not build");
  expect(builtScript()).toContain("first");
  await expect(buildWeb(root)).rejects.toThrow("did not build");
  expect(readdirSync(web).filter((name) => name.startsWith("dist"))).toEqual(["dist"]);
});

test("the folder of a killed build is removed by the next build", async () => {
  // No process has an id this high.
  const leftover = join(web, "dist.99999999");
  mkdirSync(leftover);
  await buildWeb(root);
  expect(existsSync(leftover)).toBe(false);
});
