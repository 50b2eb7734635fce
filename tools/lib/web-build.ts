import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { filesUnder, repository } from "./files.ts";
import { runTool } from "./process.ts";

const stampName = ".sources";
const compressible = /\.(?:js|css|html|svg|json|webmanifest)$/;

/** A hash of everything that the built client depends on. */
function sourcesHash(root: string): string {
  const hash = createHash("sha256");
  const add = (name: string, file: string): void => {
    hash.update(name).update("\0").update(readFileSync(file)).update("\0");
  };
  for (const folder of ["packages/web", "packages/core/src", "packages/protocol/src"]) {
    for (const file of filesUnder(join(root, folder))) {
      if (!/\.test\.tsx?$/.test(file)) add(file.slice(root.length), file);
    }
  }
  add("lock", join(root, "package-lock.json"));
  add("build", fileURLToPath(import.meta.url));
  return hash.digest("hex");
}

/** Whether a process with this id is running. Its unfinished folder must then not be removed. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Writes `.gz` and `.br` files where they are smaller, so that the server does not have to compress. */
async function precompress(folder: string): Promise<void> {
  const files = filesUnder(folder).filter((file) => compressible.test(file));
  await Promise.all(
    files.map(async (file) => {
      const text = await readFile(file);
      const brotliOptions = {
        params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
      };
      const variants = {
        gz: await promisify(gzip)(text, { level: 9 }),
        br: await promisify(brotliCompress)(text, brotliOptions),
      };
      for (const [extension, variant] of Object.entries(variants))
        if (variant.length < text.length) await writeFile(`${file}.${extension}`, variant);
    }),
  );
}

/**
 * Builds the web client into `packages/web/dist` unless it is already built from the same sources. It is built in another folder and then
 * moved into place together with its stamp, so a failed or killed build leaves the previous client, or none.
 */
export async function buildWeb(root: string = repository): Promise<void> {
  const web = join(root, "packages/web");
  const dist = join(web, "dist");
  const hash = sourcesHash(root);
  const stamp = join(dist, stampName);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return;
  for (const name of await readdir(web)) {
    const pid = /^dist\.(\d+)/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(web, name), { recursive: true });
  }
  process.stdout.write("Building the web client ...\n");
  const startedAt = performance.now();
  const buildFolder = join(web, `dist.${process.pid}`);
  const replaced = `${buildFolder}.old`;
  const build = async (...options: string[]): Promise<void> => {
    const args = ["build", "--outDir", buildFolder, "--logLevel", "warn", ...options];
    const result = await runTool("vite/bin/vite.js", args, { cwd: web });
    if (result.code !== 0) throw new Error(`the web client did not build\n${result.output}`);
  };
  try {
    await build();
    // It contains the list of the files that the build has written.
    await build("--config", "service-worker.config.ts");
    await precompress(buildFolder);
    await writeFile(join(buildFolder, stampName), hash);
    if (existsSync(dist)) await rename(dist, replaced);
    await rename(buildFolder, dist);
  } finally {
    await rm(buildFolder, { recursive: true, force: true });
    await rm(replaced, { recursive: true, force: true });
  }
  process.stdout.write(`Built the web client in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.\n`);
}
