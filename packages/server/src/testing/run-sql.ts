import pg from "pg";

/** Runs statements in a PostgreSQL database, on a connection of their own. */
export async function runSql(url: string, sql: string): Promise<void> {
  await withClient(url, (client) => client.query(sql));
}

/** The rows of a query in a PostgreSQL database, on a connection of its own. */
export async function selectRows<T extends object>(url: string, sql: string): Promise<T[]> {
  return withClient(url, async (client) => (await client.query<T>(sql)).rows);
}

async function withClient<R>(url: string, run: (client: pg.Client) => Promise<R>): Promise<R> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}
