/** What OpenSSL and Node call a certificate whose authority this process does not know. */
const UNTRUSTED = [
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
];

/** What is wrong with the certificate of a server, and what to do, as a part of a sentence; undefined for other errors. */
export function certificateProblem(code: string | undefined): string | undefined {
  if (code === undefined) return undefined;
  if (UNTRUSTED.includes(code))
    return `its certificate is not trusted (${code}), so name the file with the certificate of its authority in NODE_EXTRA_CA_CERTS`;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return `its certificate is for another name (${code})`;
  return code === "CERT_HAS_EXPIRED" ? `its certificate has expired (${code})` : undefined;
}
