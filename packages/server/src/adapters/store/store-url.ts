/** Whether the URL of a store names a PostgreSQL database; otherwise it is the path of a SQLite file. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\/./.test(url);
}
