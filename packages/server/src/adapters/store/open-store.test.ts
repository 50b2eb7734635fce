import { execFile } from "node:child_process";
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { newMessage } from "../../testing/contracts/store-fixtures.ts";
import { storeContract } from "../../testing/contracts/store-contract.ts";
import { StoreLockedError, StoreUnusableError } from "./store-errors.ts";
import { openStore } from "./open-store.ts";

/** The search index is not filled: its commits would be counted as those of the tests. */
const NEVER_MS = 3_600_000;

const noFatal = (error: Error): never => {
  throw error;
};

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "parley-store-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Opens a store in a process that is not root's, because root may write everywhere. Returns "opened" or the reason of the refusal. */
async function openAsOrdinaryAccount(url: string): Promise<string> {
  const module = JSON.stringify(new URL("open-store.ts", import.meta.url).href);
  // The other account may not read the folder of this checkout, so everything is loaded before.
  const script = `const { openStore } = await import(${module});
    const { createRequire } = await import("node:module");
    new (createRequire(${module})("better-sqlite3"))(":memory:").close();
    if (process.getuid() === 0) process.setuid(65534);
    const opened = openStore({ url: ${JSON.stringify(url)}, onFatal: () => undefined });
    console.log(await opened.then(() => "opened", ({ message }) => message));
    process.exit();`;
  return (await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script])).stdout;
}

describe("SQLite store", () => {
  storeContract(async () => {
    const path = await mkdtemp(join(tmpdir(), "parley-store-"));
    const open = () =>
      openStore({ url: join(path, "parley.sqlite"), onFatal: noFatal, searchPollMs: NEVER_MS });
    let store = await open();
    return {
      get store() {
        return store;
      },
      commits: () => store.stats().commits,
      async reopen() {
        await store.close();
        store = await open();
        return store;
      },
      async dispose() {
        await store.close();
        await rm(path, { recursive: true, force: true });
      },
    };
  });

  test.skipIf(process.platform === "win32")(
    "the database files are readable by their owner only",
    async () => {
      const path = await folder();
      const store = await openStore({ url: join(path, "parley.sqlite"), onFatal: noFatal });
      for (const file of ["parley.sqlite", "parley.sqlite-wal"]) {
        expect([file, (await stat(join(path, file))).mode & 0o077]).toEqual([file, 0]);
      }
      await store.close();
    },
  );

  test("a second store on the same folder is refused with one sentence, until the first is closed", async () => {
    const path = await folder();
    const url = join(path, "parley.sqlite");
    const first = await openStore({ url, onFatal: noFatal });
    const second = openStore({ url, onFatal: noFatal });
    await expect(second).rejects.toThrow(StoreLockedError);
    await expect(second).rejects.toThrow(`The data folder ${path} is in use by another Parley server`);
    await first.close();
    await (await openStore({ url, onFatal: noFatal })).close();
  });

  test.each([
    ["is no database", (path: string) => writeFile(path, "no database".repeat(100))],
    ["is a folder", (path: string) => mkdir(path)],
  ])(
    "a lock file that %s is reported by name and not mistaken for the lock of another server",
    async (_what, make) => {
      const path = await folder();
      await make(join(path, "parley.lock"));
      const opened = openStore({ url: join(path, "parley.sqlite"), onFatal: noFatal });
      await expect(opened).rejects.toThrow(StoreUnusableError);
      await expect(opened).rejects.toThrow(join(path, "parley.lock"));
    },
  );

  test("a lock file that this account may not write is refused, because its lock would be shared", async () => {
    const path = await folder();
    await chmod(path, 0o777);
    await writeFile(join(path, "parley.lock"), "", { mode: 0o444 });
    expect(await openAsOrdinaryAccount(join(path, "parley.sqlite"))).toMatch(
      /The data folder \S+ cannot be used, because the account .+ may not write to \S+parley\.lock: give/,
    );
  });

  test("a folder that this account may not write to is refused by its name and that of the account", async () => {
    const path = await folder();
    await chmod(path, 0o555);
    const stdout = await openAsOrdinaryAccount(join(path, "parley.sqlite"));
    expect(stdout).toContain(`The data folder ${path} cannot be used, because the account `);
    expect(stdout).not.toContain("The database");
    await chmod(path, 0o700);
  });

  test("a file that is no database is refused with a sentence and left as it was", async () => {
    const url = join(await folder(), "parley.sqlite");
    await writeFile(url, "this is not a database".repeat(100));
    await expect(openStore({ url, onFatal: noFatal })).rejects.toThrow(StoreUnusableError);
    await expect(openStore({ url, onFatal: noFatal })).rejects.toThrow("restore a backup or move it away");
    expect((await readFile(url, "utf8")).startsWith("this is not")).toBe(true);
  });

  test("a damaged database is refused with a sentence", async () => {
    const url = join(await folder(), "parley.sqlite");
    await (await openStore({ url, onFatal: noFatal })).close();
    const bytes = await readFile(url);
    await writeFile(url, bytes.fill(0x5a, 100, 8_192));
    await expect(openStore({ url, onFatal: noFatal })).rejects.toThrow("restore a backup or move it away");
  });

  test("a missing folder is refused with a sentence", async () => {
    const url = join(await folder(), "missing", "parley.sqlite");
    await expect(openStore({ url, onFatal: noFatal })).rejects.toThrow(StoreUnusableError);
  });

  test("a database of a newer server is refused with a sentence and still works with the newer server", async () => {
    const url = join(await folder(), "parley.sqlite");
    await (await openStore({ url, onFatal: noFatal })).close();
    const { default: Database } = await import("better-sqlite3");
    const db = new Database(url);
    db.exec("insert into kysely_migration values ('9999-later', '2099-01-01')");
    db.close();
    await expect(openStore({ url, onFatal: noFatal })).rejects.toThrow(StoreUnusableError);
  });

  test("a database from before the first release is refused with a sentence that says what to do", async () => {
    const url = join(await folder(), "parley.sqlite");
    await (await openStore({ url, onFatal: noFatal })).close();
    const { default: Database } = await import("better-sqlite3");
    const db = new Database(url);
    db.exec("update kysely_migration set name = '0001-start' where name = '0001-first-release'");
    db.close();
    await expect(openStore({ url, onFatal: noFatal })).rejects.toThrow(
      /from before 0\.1\.0 has made it, .*; start with a new data folder and an empty database, or start that version/,
    );
  });

  test("the write-ahead log of a killed process is applied before the store opens", async () => {
    const [from, to] = [await folder(), await folder()];
    const store = await openStore({
      url: join(from, "parley.sqlite"),
      onFatal: noFatal,
      searchPollMs: NEVER_MS,
    });
    await store.appendPrivate(newMessage(1, 2, { tmpId: "a" }));
    const names = ["parley.sqlite", "parley.sqlite-wal"];
    for (const name of names) await copyFile(join(from, name), join(to, name));
    await store.close();
    const log = join(to, "parley.sqlite-wal");
    expect((await stat(log)).size).toBeGreaterThan(0);
    const reopened = await openStore({
      url: join(to, "parley.sqlite"),
      onFatal: noFatal,
      searchPollMs: NEVER_MS,
    });
    expect((await stat(log)).size).toBe(0);
    expect(await reopened.newestVisibleId("PRIVATE", 1, 2)).toBe(1);
    await reopened.close();
  });

  test("statistics count a row of a shared commit once and a repeated send not at all", async () => {
    const url = join(await folder(), "parley.sqlite");
    const store = await openStore({ url, onFatal: noFatal, searchPollMs: NEVER_MS });
    await Promise.all(["a", "b", "a"].map((tmpId) => store.appendPrivate(newMessage(1, 2, { tmpId }))));
    expect(store.stats()).toEqual({ commits: 1, rows: 2 });
    await store.close();
  });
});
