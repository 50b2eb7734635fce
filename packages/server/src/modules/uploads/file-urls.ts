const PREFIX = "/files/";

/** Where people find the blob of this key. */
export function fileUrlOf(key: string): string {
  return `${PREFIX}${key}`;
}

export function fileKeyOf(url: string): string {
  return url.slice(PREFIX.length);
}
