/**
 * Whether this server has encoded the picture with this url itself. Files that people upload as they are may be pictures that exhaust the
 * memory of everybody who sees them, or say where they were taken. The names are those that `modules/uploads/uploads.ts` gives.
 */
export function isEncodedPicture(url: string): boolean {
  return /\/(?:image|thumb|cover)\.[a-z]+$/.test(url);
}
