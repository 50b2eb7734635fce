/** The scheme and host under which the built client is served to the window. */
export const CLIENT_SCHEME = "app";
const CLIENT_HOST = "parley";
/** The page of the client. */
export const CLIENT_ADDRESS = `${CLIENT_SCHEME}://${CLIENT_HOST}/`;

/** Whether an address, or an origin, is that of the built client. */
export function isOwnAddress(address: string): boolean {
  // `origin` is "null" for schemes that the URL standard does not name.
  const url = URL.parse(address);
  return url !== null && url.protocol === `${CLIENT_SCHEME}:` && url.host === CLIENT_HOST;
}
