/** The id of an HTTP request: in its answer, and in every line of the log about it. */
import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";

export const REQUEST_ID_HEADER = "x-request-id";
/** Names the node that has answered. */
export const NODE_HEADER = "x-node";
/** What may stand in a log and in a header without any escape. */
const WELL_FORMED = /^[\w.:-]{1,64}$/;

/** Returns a function that gives a request its id: the one that a trusted proxy has given it, or a new one. */
export function createRequestIds(
  isProxyTrusted: boolean,
): (request: Pick<IncomingMessage, "headers">) => string {
  const runId = randomBytes(4).toString("hex");
  let requests = 0;
  return ({ headers }) => {
    const given = isProxyTrusted ? headers[REQUEST_ID_HEADER] : undefined;
    if (typeof given === "string" && WELL_FORMED.test(given)) return given;
    return `${runId}-${(requests++).toString(36)}`;
  };
}
