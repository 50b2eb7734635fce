/** Whether the URL of a store names a PostgreSQL database; otherwise it is the path of a SQLite file. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\/./.test(url);
}

/** The URL as it may be shown: without account, password and parameters. */
export function shownUrl(url: string): string {
  try {
    const { protocol, host, pathname } = new URL(url);
    return `${protocol}//${host}${pathname}`;
  } catch {
    return "at this URL";
  }
}
