import * as z from "zod/mini";
import type { Endpoint } from "./endpoint.ts";
import { ENDPOINTS } from "./endpoints/all.ts";
import { ERRORS } from "./errors.ts";
import { serverFrame } from "./frame.ts";
import { REFRESH_HEADER } from "./headers.ts";
import { PROTOCOL_VERSION } from "./version.ts";

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

/** The JSON Schema of a value on the wire, before the schema converts it. */
function schemaOf(schema: z.ZodMiniType): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return rest as JsonObject;
}

function parametersOf(location: "path" | "query", schema: z.ZodMiniType | undefined): JsonObject[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input" });
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: location,
    required: location === "path" || required.includes(name),
    schema: property as Json,
  }));
}

function requestBodyOf(endpoint: Endpoint): JsonObject {
  if (endpoint.upload !== undefined) {
    const { maxBytes, fields } = endpoint.upload;
    const any = { type: "string", format: "binary" };
    const properties = {
      ...Object.fromEntries(fields.map((field) => [field, any])),
      file: maxBytes === null ? any : { ...any, maxLength: maxBytes },
    };
    const schema = { type: "object", required: ["file"], properties };
    return { requestBody: { required: true, content: { "multipart/form-data": { schema } } } };
  }
  if (endpoint.body === undefined) return {};
  const required = !endpoint.body.safeParse(undefined).success;
  return { requestBody: { required, content: { "application/json": { schema: schemaOf(endpoint.body) } } } };
}

/** `token` and `admin` require an access token, `optional` accepts one; an empty object means that none is required. */
function securityOf({ auth }: Endpoint): JsonObject[] {
  if (auth === "open") return [];
  return auth === "token" || auth === "admin" ? [{ accessToken: [] }] : [{ accessToken: [] }, {}];
}

const refreshHeader = { name: REFRESH_HEADER, in: "header", required: true, schema: { type: "string" } };
const refusal = { $ref: "#/components/schemas/Refusal" };

function operationOf(name: string, endpoint: Endpoint): JsonObject {
  const parameters = [
    ...parametersOf("path", endpoint.params),
    ...parametersOf("query", endpoint.query),
    ...(endpoint === ENDPOINTS.refreshToken ? [refreshHeader] : []),
  ];
  const success = {
    type: "object",
    required: ["code", "message", "data"],
    properties: { code: { const: 200 }, message: { type: "string" }, data: schemaOf(endpoint.answer) },
  };
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [endpoint.path.split("/")[1] ?? ""],
    security: securityOf(endpoint),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBodyOf(endpoint),
    responses: {
      200: {
        description: "Done, or refused for a reason of the business: `code` tells which",
        content: { "application/json": { schema: { anyOf: [success, refusal] } } },
      },
      default: {
        description: "Not carried out",
        content: { "application/json": { schema: refusal } },
      },
    },
  };
}

/** Routes of the server that are no calls; paths start at the root. None needs a token, and only those that say so answer with an envelope. */
export const OTHER_ROUTES = [
  { path: "/api/docs", type: "text/html", summary: "The API as a page" },
  { path: "/api/docs.css", type: "text/css", summary: "The style of that page" },
  { path: "/api/openapi.json", type: "application/json", summary: "The API as OpenAPI" },
  {
    path: "/healthz",
    type: "application/json",
    summary: "An envelope with code 200 while the process lives",
  },
  {
    path: "/readyz",
    type: "application/json",
    summary:
      "An envelope with code 200 when people can be served, with a word on Redis if it is away; HTTP 503 otherwise",
  },
  {
    path: "/files/{random}/{name}",
    type: "application/octet-stream",
    summary: "An uploaded file, whole or a range of it; whoever has the address may read it",
  },
  {
    path: "/api/user/export/download",
    type: "application/zip",
    summary: "The archive for which POST /api/user/export makes a link; that link has the token",
  },
] as const;

function otherPath({ path, type, summary }: (typeof OTHER_ROUTES)[number]): JsonObject {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  return {
    servers: [{ url: "/" }],
    get: {
      summary,
      tags: ["server"],
      security: [],
      ...(parameters.length > 0 ? { parameters } : {}),
      responses: { 200: { description: summary, content: { [type]: {} } } },
    },
  };
}

/** Returns the HTTP API as OpenAPI 3.1, made from the endpoint definitions. */
export function openApiDocument(protocolVersion = PROTOCOL_VERSION): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(ENDPOINTS)) {
    const path = endpoint.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(name, endpoint) };
  }
  for (const route of OTHER_ROUTES) paths[route.path] = otherPath(route);
  return {
    openapi: "3.1.0",
    info: {
      title: "Parley",
      version: String(protocolVersion),
      description:
        "Every answer is an envelope {code, message, data}; code 200 means done. What the server sends on the socket at /im is the schema ServerFrame; docs/protocol.md describes the socket.",
    },
    servers: [{ url: "/api" }],
    paths,
    components: {
      securitySchemes: { accessToken: { type: "apiKey", in: "header", name: "accessToken" } },
      schemas: {
        ServerFrame: schemaOf(serverFrame),
        Refusal: {
          type: "object",
          required: ["code", "message", "data"],
          properties: {
            code: {
              enum: [...new Set(Object.values(ERRORS).map((error) => error.code))].sort((a, b) => a - b),
            },
            message: { type: "string", description: "A sentence in the language of the request" },
            data: {},
            key: { enum: Object.keys(ERRORS), description: "What a client's own words can be chosen by" },
            params: { type: "object", additionalProperties: { type: ["string", "number"] } },
          },
        },
      },
    },
  };
}
