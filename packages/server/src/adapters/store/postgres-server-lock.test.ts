import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import {
  createTestDatabase,
  isPostgresMissing,
  POSTGRES,
  type TestDatabase,
} from "../../testing/test-postgres.ts";
import type { Servers } from "./engine.ts";
import { type OpenedStore, openStore } from "./open-store.ts";
import { WRITE_LOCK } from "./postgres-engine.ts";
import { StoreLockedError } from "./store-errors.ts";

const SESSIONS =
  "select pid from pg_stat_activity where application_name = 'parley server lock' and datname = current_database()";

describe.skipIf(isPostgresMissing)(`servers on one ${POSTGRES}`, () => {
  let database: TestDatabase;
  const opened: OpenedStore[] = [];
  const fatal: Error[] = [];
  beforeAll(async () => void (database = await createTestDatabase()));
  afterAll(() => database.drop());
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
    fatal.length = 0;
  });

  async function open(servers?: Servers): Promise<void> {
    const onFatal = (error: Error) => void fatal.push(error);
    opened.push(await openStore({ url: database.url, onFatal, ...(servers && { servers }) }));
  }

  test("a second server is refused with a sentence, until the first has ended; what is no server is not", async () => {
    await open("one");
    await open();
    await expect(open("one")).rejects.toThrow(
      /^The database postgres:\/\/127.0.0.1:\d+\/test_\w+ is in use by another Parley server; stop that one first, or set REDIS_URL for every server, so that they can work together\.$/,
    );
    await opened.splice(0, 1)[0]?.close();
    await open("one");
  });

  test("servers that can work together do, and exclude one that cannot", async () => {
    await open("several");
    await open("several");
    await expect(open("one")).rejects.toThrow(StoreLockedError);
    for (const store of opened.splice(0)) await store.close();
    await open("one");
    await expect(open("several")).rejects.toThrow(StoreLockedError);
  });

  test("what wants no server there is refused with a sentence while one runs", async () => {
    await open("several");
    await expect(open("none")).rejects.toThrow(/ is in use by another Parley server; stop that one first\.$/);
    for (const store of opened.splice(0)) await store.close();
    await open("none");
    await expect(open("several")).rejects.toThrow(StoreLockedError);
  });

  test("a server whose connection was lost excludes others again", async () => {
    await open("one");
    const pid = Number((await database.query(SESSIONS))[0]?.["pid"]);
    await database.query(`select pg_terminate_backend(${pid})`);
    await eventually(async () => {
      const sessions = await database.query(`${SESSIONS} and pid <> ${pid}`);
      expect(sessions).toHaveLength(1);
    });
    await expect(open("one")).rejects.toThrow(StoreLockedError);
    expect(fatal).toEqual([]);
  });

  test("a server that finds another one on its database after an outage ends", async () => {
    await open("one");
    const pid = Number((await database.query(SESSIONS))[0]?.["pid"]);
    await database.query(`select pg_terminate_backend(${pid}); select pg_advisory_lock(${WRITE_LOCK + 1})`);
    await eventually(() => expect(fatal).toEqual([expect.any(StoreLockedError)]));
    await database.query("select pg_advisory_unlock_all()");
  });
});
