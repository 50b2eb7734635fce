import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import * as codes from "./codes.ts";
import { ENDPOINTS } from "./endpoints/all.ts";
import { LOGOUT_REASONS } from "./envelope.ts";
import { ERRORS } from "./errors.ts";
import { CAPABILITIES, clientFrame, serverFrame } from "./frame.ts";
import { REFRESH_HEADER, REQUEST_HEADERS } from "./headers.ts";
import * as limits from "./limits.ts";
import { groupMessage, type Kind, KINDS, privateMessage, systemMessage } from "./message.ts";
import { TIPS } from "./tips.ts";
import { PROTOCOL_HASH } from "./version.ts";
import { webPushPayload } from "./web-push.ts";

/** Properties of kinds that tell server and clients how to treat a message. They do not change what travels. */
const TREATMENT: ReadonlySet<string> = new Set<keyof Kind>([
  "isTip",
  "isEditable",
  "isForwardable",
  "isRequest",
  "fileFields",
  "pictureFields",
  "hasGroupSound",
  "shakesWindow",
  "searched",
  "previewField",
  "maxLengths",
]);
const onWire = (kind: Kind) =>
  Object.fromEntries(Object.entries(kind).filter(([name]) => !TREATMENT.has(name)));

const asJson = (schema: z.ZodMiniType | undefined) =>
  schema ? z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) : null;

function protocolDefinition(): unknown {
  return {
    codes,
    limits,
    errors: ERRORS,
    reasons: LOGOUT_REASONS,
    caps: CAPABILITIES,
    headers: [REQUEST_HEADERS, REFRESH_HEADER],
    tips: TIPS,
    up: asJson(clientFrame),
    down: asJson(serverFrame),
    webPush: asJson(webPushPayload),
    rows: [privateMessage, groupMessage, systemMessage].map(asJson),
    kinds: Object.entries(KINDS).map(([type, kind]) => ({
      ...onWire(kind),
      type,
      schema: "schema" in kind ? asJson(kind.schema) : null,
    })),
    endpoints: Object.entries(ENDPOINTS).map(([name, e]) => ({
      name,
      method: e.method,
      path: e.path,
      auth: e.auth,
      upload: "upload" in e ? e.upload : null,
      params: asJson("params" in e ? e.params : undefined),
      query: asJson("query" in e ? e.query : undefined),
      body: asJson("body" in e ? e.body : undefined),
      answer: asJson(e.answer),
    })),
  };
}

describe("the protocol", () => {
  // After a deliberate change, raise PROTOCOL_VERSION, set the new hash beside it, and describe the change in docs/api/changes.md.
  test("does not change without a new version", () => {
    const hash = createHash("sha256").update(JSON.stringify(protocolDefinition())).digest("hex").slice(0, 16);
    expect(hash).toBe(PROTOCOL_HASH);
  });

  test("has only one endpoint for each method and path", () => {
    const routes = Object.values(ENDPOINTS).map((e) => `${e.method} ${e.path}`);
    expect(new Set(routes).size).toBe(routes.length);
  });
});
