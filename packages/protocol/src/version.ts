/** Version of the wire. Rises with every change that `version.test.ts` notices. */
export const PROTOCOL_VERSION = 14;
