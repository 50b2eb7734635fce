import { describe, expect, test } from "vitest";
import { ENDPOINTS } from "./endpoints/all.ts";
import { ERRORS } from "./errors.ts";
import { IMAGE_MAX_BYTES } from "./limits.ts";
import { OTHER_ROUTES, openApiDocument } from "./openapi.ts";

interface Operation {
  operationId?: string;
  tags: string[];
  security: object[];
  parameters?: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Record<string, unknown> }> };
  responses: Record<string, { content: Record<string, { schema?: unknown }> }>;
}
const { paths, components } = openApiDocument() as unknown as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: { Refusal: { properties: Record<string, Record<string, unknown>> } } };
};
const operation = (path: string, method: string) => paths[path]?.[method];

describe("the OpenAPI document", () => {
  test("has every call with its name and method", () => {
    const named = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
    );
    expect(named.toSorted()).toEqual(Object.keys(ENDPOINTS).toSorted());
    expect(Object.keys(paths["/user/sessions"] ?? {})).toEqual(["delete", "get"]);
    expect(operation("/friend/list", "get")?.tags).toEqual(["friend"]);
  });

  test("has one call for each method and path", () => {
    const routes = Object.values(ENDPOINTS).map((endpoint) => `${endpoint.method} ${endpoint.path}`);
    expect(new Set(routes).size).toBe(routes.length);
  });

  test("describes path, query and header parameters and which of them are required", () => {
    expect(operation("/user/find/{id}", "get")?.parameters).toMatchObject([
      { name: "id", in: "path", required: true, schema: { type: "string" } },
    ]);
    const parameters = operation("/message/private/readed", "put")?.parameters ?? [];
    expect(parameters.map(({ name, in: location, required }) => [name, location, required])).toEqual([
      ["friendId", "query", true],
      ["messageId", "query", false],
    ]);
    const headers = Object.entries(paths).filter(([, methods]) =>
      Object.values(methods).some(({ parameters }) =>
        parameters?.some((parameter) => parameter.in === "header"),
      ),
    );
    expect(headers.map(([path]) => path)).toEqual(["/refreshToken"]);
    const refresh = operation("/refreshToken", "put")?.parameters;
    expect(refresh).toMatchObject([{ name: "refreshToken", in: "header", required: true }]);
    expect(operation("/friend/list", "get")).not.toHaveProperty("parameters");
  });

  test("describes whether a token is needed", () => {
    expect(operation("/login", "post")?.security).toEqual([]);
    expect(operation("/friend/list", "get")?.security).toEqual([{ accessToken: [] }]);
    expect(operation("/image/upload", "post")?.security).toEqual([{ accessToken: [] }, {}]);
  });

  test("describes request bodies and responses", () => {
    const login = operation("/login", "post");
    expect(login?.requestBody?.required).toBe(true);
    const sent = login?.requestBody?.content["application/json"]?.schema;
    expect(sent).toMatchObject({ required: ["terminal", "userName", "password"] });
    expect(sent).not.toHaveProperty("$schema");
    const upload = operation("/image/upload", "post")?.requestBody;
    expect(upload?.required).toBe(true);
    expect(upload?.content["multipart/form-data"]?.schema).toEqual({
      type: "object",
      required: ["file"],
      properties: { file: { type: "string", format: "binary", maxLength: IMAGE_MAX_BYTES } },
    });
    const video = operation("/video/upload", "post")?.requestBody?.content["multipart/form-data"]?.schema;
    const file = { type: "string", format: "binary" };
    expect(video).toEqual({ type: "object", required: ["file"], properties: { file, cover: file } });
    expect(operation("/friend/list", "get")).not.toHaveProperty("requestBody");
    const refusal = { $ref: "#/components/schemas/Refusal" };
    const responses = operation("/friend/list", "get")?.responses;
    expect(responses?.["200"]?.content["application/json"]?.schema).toMatchObject({
      anyOf: [
        {
          required: ["code", "message", "data"],
          properties: { code: { const: 200 }, data: { type: "array" } },
        },
        refusal,
      ],
    });
    expect(responses?.["default"]?.content["application/json"]?.schema).toEqual(refusal);
  });

  test("has all error keys, and their codes ascending without duplicates", () => {
    const { code, key, params } = components.schemas.Refusal.properties;
    expect(code?.["enum"]).toEqual([400, 401, 409, 429, 500, 10001, 10003]);
    expect(key?.["enum"]).toEqual(Object.keys(ERRORS));
    expect(params?.["additionalProperties"]).toEqual({ type: ["string", "number"] });
  });

  test("has the routes that are no calls, with paths from the root", () => {
    expect(OTHER_ROUTES.map(({ path, type }) => [path, type])).toEqual([
      ["/api/docs", "text/html"],
      ["/api/docs.css", "text/css"],
      ["/api/openapi.json", "application/json"],
      ["/healthz", "application/json"],
      ["/readyz", "application/json"],
      ["/files/{random}/{name}", "application/octet-stream"],
      ["/api/user/export/download", "application/zip"],
    ]);
    expect(paths["/healthz"]?.["servers"]).toEqual([{ url: "/" }]);
    const health = operation("/healthz", "get");
    expect(health?.security).toEqual([]);
    expect(health).not.toHaveProperty("parameters");
    expect(health?.responses["200"]?.content).toEqual({ "application/json": {} });
    const file = operation("/files/{random}/{name}", "get")?.parameters;
    expect(file).toEqual(
      ["random", "name"].map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
    );
  });
});
