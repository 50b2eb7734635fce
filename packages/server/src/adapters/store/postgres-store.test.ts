import { describe } from "vitest";
import {
  createTestDatabase,
  isPostgresMissing,
  POSTGRES,
  type TestDatabase,
} from "../../testing/test-postgres.ts";
import { storeContract } from "../../testing/contracts/store-contract.ts";
import { afterAll, beforeAll } from "vitest";
import { openStore } from "./open-store.ts";

/** The search index is not filled: its commits would be counted as those of the tests. */
const NEVER_MS = 3_600_000;

const noFatal = (error: Error): never => {
  throw error;
};

describe.skipIf(isPostgresMissing)(`${POSTGRES} store`, () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  storeContract(async () => {
    const open = () => openStore({ url: database.url, onFatal: noFatal, searchPollMs: NEVER_MS });
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
        await database.empty();
      },
    };
  });
});
