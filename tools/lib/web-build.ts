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

/** A hash over everything that the built client depends on. */
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

/** Whether a process of that id lives: its half-made folder is then not ours to remove. */
function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Writes `.gz` and `.br` beside what gets smaller by it, so that the server never does it while it serves. */
async function precompress(folder: string): Promise<void> {
  const files = filesUnder(folder).filter((file) => compressible.test(file));
  await Promise.all(
    files.map(async (file) => {
      const text = await readFile(file);
      const quality = {
        params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
      };
      const forms = {
        gz: await promisify(gzip)(text, { level: 9 }),
        br: await promisify(brotliCompress)(text, quality),
      };
      for (const [name, form] of Object.entries(forms))
        if (form.length < text.length) await writeFile(`${file}.${name}`, form);
    }),
  );
}

/**
 * Builds the web client into `packages/web/dist` unless it is there and made from these very sources. It is made in a folder of its own and
 * moved into place with its stamp inside, so a failed or killed build leaves the former one, or none.
 */
export async function buildWeb(root: string = repository): Promise<void> {
  const web = join(root, "packages/web");
  const dist = join(web, "dist");
  const hash = sourcesHash(root);
  const stamp = join(dist, stampName);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return;
  for (const name of await readdir(web)) {
    const pid = /^dist\.(\d+)/.exec(name)?.[1];
    if (pid !== undefined && !lives(Number(pid))) await rm(join(web, name), { recursive: true });
  }
  process.stdout.write("Building the web client ...\n");
  const began = performance.now();
  const made = join(web, `dist.${process.pid}`);
  const replaced = `${made}.old`;
  try {
    const result = await runTool("vite/bin/vite.js", ["build", "--outDir", made, "--logLevel", "warn"], {
      cwd: web,
    });
    if (result.code !== 0) throw new Error(`the web client did not build\n${result.output}`);
    await precompress(made);
    await writeFile(join(made, stampName), hash);
    if (existsSync(dist)) await rename(dist, replaced);
    await rename(made, dist);
  } finally {
    await rm(made, { recursive: true, force: true });
    await rm(replaced, { recursive: true, force: true });
  }
  process.stdout.write(`Built the web client in ${((performance.now() - began) / 1000).toFixed(1)} s.\n`);
}
