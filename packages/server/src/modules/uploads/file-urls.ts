const PREFIX = "/files/";

/** The url of the blob with this key. */
export function fileUrlOf(key: string): string {
  return `${PREFIX}${key}`;
}

/** The key of the blob with this url. */
export function fileKeyOf(url: string): string {
  return url.slice(PREFIX.length);
}
