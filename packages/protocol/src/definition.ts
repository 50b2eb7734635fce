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

/** The exports of a module in one order: Vite has them in the order of the file, Node in that of the alphabet. */
const sorted = (exports: object) =>
  Object.fromEntries(Object.entries(exports).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Everything that server and clients agree on. Its hash in `version.ts` changes with it. */
export function protocolDefinition(): unknown {
  return {
    codes: sorted(codes),
    limits: sorted(limits),
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
