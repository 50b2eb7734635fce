/** A data folder and a database that do not belong together are not used together. */
import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createApp } from "../runtime/app.ts";
import { loadConfig } from "./config.ts";
import { runAdmin } from "../testing/admin-process.ts";
import { createTestDatabase, isPostgresMissing } from "../testing/test-postgres.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "parley-own-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const folder = (name: string) => join(root, name);

/** Starts a server and stops it again. */
async function start(name: string, env: Record<string, string> = {}): Promise<void> {
  const config = loadConfig({
    HOST: "127.0.0.1",
    PORT: "0",
    DATA_DIR: folder(name),
    PASSWORD_COST: "low",
    LOG_LEVEL: "silent",
    ...env,
  });
  const app = createApp(config);
  await app.start();
  await app.stop();
}

describe("with SQLite", () => {
  test("a folder that has lost its database does not start, and nothing is made; NEW_DATABASE=on begins anew", async () => {
    await start("a");
    await rename(join(folder("a"), "parley.sqlite"), join(root, "moved"));
    await expect(start("a")).rejects.toThrow(
      /parley\.sqlite cannot be opened: it is missing or empty, but .*secret.*NEW_DATABASE=on/,
    );
    expect(await readdir(folder("a"))).not.toContain("parley.sqlite");
    await writeFile(join(folder("a"), "parley.sqlite"), "");
    await expect(start("a")).rejects.toThrow("it is missing or empty");
    await rename(join(root, "moved"), join(folder("a"), "parley.sqlite"));
    await start("a");
    await rm(join(folder("a"), "parley.sqlite"));
    await start("a", { NEW_DATABASE: "on" });
    await start("a");
  });

  test.each([
    ["a secret", async () => writeFile(join(folder("old"), "secret"), "s".repeat(48))],
    [
      "files",
      async () => {
        await mkdir(join(folder("old"), "files", "ab"), { recursive: true });
      },
    ],
  ])("%s of a version without an id is enough", async (_, make) => {
    await mkdir(folder("old"));
    await make();
    await expect(start("old")).rejects.toThrow("it is missing or empty");
  });

  test("an installation of a version without an id goes on, and has one from then on", async () => {
    await start("a");
    await rm(join(folder("a"), "installation"));
    await start("a");
    expect((await readFile(join(folder("a"), "installation"), "utf8")).trim()).toMatch(/^[\w-]{16}$/);
  });

  test("the database of another installation is refused, until `restored` says that it is meant", async () => {
    await start("a");
    await start("b");
    await rename(join(folder("b"), "parley.sqlite"), join(folder("a"), "parley.sqlite"));
    await expect(start("a")).rejects.toThrow("it belongs to another installation than DATA_DIR");
    expect((await runAdmin({ DATA_DIR: folder("a") }, "users")).err).toContain(
      "belongs to another installation",
    );
    expect((await runAdmin({ DATA_DIR: folder("a") }, "restored")).code).toBe(0);
    await start("a");
  });
});

describe.skipIf(isPostgresMissing)("with PostgreSQL", () => {
  test("an empty database and that of another installation are refused beside a folder, and nothing is made there", async () => {
    const [own, other, empty] = [
      await createTestDatabase(),
      await createTestDatabase(),
      await createTestDatabase(),
    ];
    try {
      await start("a", { DATABASE_URL: own.url });
      await start("b", { DATABASE_URL: other.url });
      await expect(start("a", { DATABASE_URL: empty.url })).rejects.toThrow("it is missing or empty");
      expect(await empty.query("select 1 from pg_tables where schemaname = current_schema()")).toEqual([]);
      await expect(start("a", { DATABASE_URL: other.url })).rejects.toThrow(
        "it belongs to another installation",
      );
      await start("a", { DATABASE_URL: own.url });
      // Another node, whose folder is new.
      await start("c", { DATABASE_URL: own.url });
      await start("a", { DATABASE_URL: empty.url, NEW_DATABASE: "on" });
      await start("a", { DATABASE_URL: empty.url });
    } finally {
      for (const database of [own, other, empty]) await database.drop();
    }
  });
});
