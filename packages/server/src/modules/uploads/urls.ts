const PREFIX = "/files/";

/** Where people find the blob of this key. */
export function urlOf(key: string): string {
  return `${PREFIX}${key}`;
}

export function keyOf(url: string): string {
  return url.slice(PREFIX.length);
}
