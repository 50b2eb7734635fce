import type { ChatMessage } from "../model/state.ts";
import type { Database, Ports } from "../ports.ts";
import { createWriteQueue, type WriteQueue } from "./write-queue.ts";

/** The database of one session, as long as the browser lets the client use it. After that the client continues in memory. */
export interface DatabaseConnection {
  /** null: not open yet, closed, or lost. */
  current(): Database | null;
  /** Whether it is open, or is being opened: then what is added to `writes` will be written, and `read` waits. */
  isUsable(): boolean;
  /** The writes that are still to be made. */
  readonly writes: WriteQueue;
  open(name: string): Promise<void>;
  /** Reads after the database was opened and after all pending writes. `otherwise` if there is no database, or by then another one. */
  read<T>(work: (database: Database) => Promise<T>, otherwise: T): Promise<T>;
  fallBackToMemory(reason: unknown): void;
  /** Closes after all pending writes. */
  close(): Promise<void>;
}

/** What the connection needs, and where it reports to. */
export interface DatabaseConnectionDeps {
  ports: Pick<Ports, "clock" | "storage" | "log">;
  /** Yields the search terms that a message is indexed by. */
  searchTermsOf(message: ChatMessage): readonly string[];
  /** Called when the database stops being usable. */
  onRefused(): void;
}

/** Creates the connection; it is closed until `open`. */
export function createDatabaseConnection(deps: DatabaseConnectionDeps): DatabaseConnection {
  const { ports } = deps;
  let database: Database | null = null;
  let opening: Promise<void> | null = null;
  let isClosed = false;
  const writes = createWriteQueue({
    clock: ports.clock,
    database: () => database,
    searchTermsOf: deps.searchTermsOf,
    onFailure(target, error) {
      if (target === database) fallBackToMemory(error);
    },
  });

  function fallBackToMemory(reason: unknown): void {
    if (database === null) return;
    ports.log.warn("storage refused; continuing in memory", { reason: String(reason) });
    closeDatabase();
  }

  function closeDatabase(): void {
    database?.close();
    database = null;
    writes.drop();
    deps.onRefused();
  }

  async function openDatabase(name: string): Promise<void> {
    try {
      const opened = await ports.storage.open(name);
      // A database that opens after the end of its session is not used.
      if (isClosed) return opened.close();
      database = opened;
      opened.onLost(() => {
        if (database === opened) closeDatabase();
      });
    } catch (error) {
      if (isClosed) return;
      ports.log.warn("storage cannot be opened; continuing in memory", { reason: String(error) });
      writes.drop();
      deps.onRefused();
    }
  }

  return {
    current: () => database,
    isUsable: () => !isClosed && (database !== null || opening !== null),
    writes,
    open(name) {
      opening = openDatabase(name).finally(() => {
        opening = null;
      });
      return opening;
    },
    async read(work, otherwise) {
      await opening;
      const openedDatabase = database;
      await writes.flush();
      if (openedDatabase === null || openedDatabase !== database) return otherwise;
      try {
        const result = await work(openedDatabase);
        // If the user has logged out during the read, the result belongs to somebody else.
        return openedDatabase === database ? result : otherwise;
      } catch (error) {
        if (openedDatabase === database) fallBackToMemory(error);
        return otherwise;
      }
    },
    fallBackToMemory,
    async close() {
      isClosed = true;
      const closing = database;
      const written = writes.flush();
      database = null;
      await written;
      closing?.close();
    },
  };
}
