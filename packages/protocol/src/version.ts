/** Version of the protocol. It is raised with every change that `version.test.ts` notices. */
export const PROTOCOL_VERSION = 23;

/**
 * Hash of everything that server and clients agree on at this version. `version.test.ts` computes and compares it.
 * @internal
 */
export const PROTOCOL_HASH = "d0698c012938f41d";
