/** Version of the protocol. `npm run protocol` raises it with the first change after a release. */
export const PROTOCOL_VERSION = 23;

/**
 * Hash of everything that server and clients agree on (`definition.ts`). A test compares it; `npm run protocol` writes it.
 * @internal
 */
export const PROTOCOL_HASH = "78fef83841137ad8";
