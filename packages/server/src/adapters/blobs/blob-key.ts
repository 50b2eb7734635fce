const BLOB_KEY = /^[A-Za-z0-9._-]+\/[A-Za-z0-9._-]+$/;

/** Whether this is a valid key: a folder and a file name, neither of which leads out of the blob folder. */
export function isKey(key: string): boolean {
  return BLOB_KEY.test(key) && !key.split("/").some((name) => name === "." || name === "..");
}
