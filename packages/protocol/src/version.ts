/** Version of the protocol. It is raised with every change that `version.test.ts` notices. */
export const PROTOCOL_VERSION = 14;
