/** How many files of messages that the server has are kept in memory, so that their pictures need not be loaded. */
const FILES_MAX = 50;
/** Bytes of these files together. */
const BYTES_MAX = 209_715_200;

/** Which of these files, oldest first, to forget: all but the newest that keep the limits. The newest one always stays. */
export function filesToForget(
  files: readonly { readonly tmpId: string; readonly size: number }[],
): readonly string[] {
  let bytes = 0;
  let count = 0;
  const kept = new Set<string>();
  for (const { tmpId, size } of files.toReversed()) {
    bytes += size;
    count++;
    if (count > 1 && (bytes > BYTES_MAX || count > FILES_MAX)) break;
    kept.add(tmpId);
  }
  return files.flatMap(({ tmpId }) => (kept.has(tmpId) ? [] : [tmpId]));
}
