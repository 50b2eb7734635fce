/** What an endpoint takes, read from its definition, and calls made of examples. */
import * as z from "zod/mini";
import type { BodyOf, Endpoint, ParamsOf, QueryOf } from "@parley/protocol/endpoint";
import { ENDPOINTS, type EndpointName } from "@parley/protocol/endpoints/all";

/** JSON Schema, as far as the protocol uses it. */
export interface Shape {
  type?: string;
  anyOf?: readonly Shape[];
  const?: unknown;
  enum?: readonly unknown[];
  properties?: Readonly<Record<string, Shape>>;
  required?: readonly string[];
  items?: Shape;
  additionalProperties?: Shape | boolean;
}

const shapes = new Map<z.ZodMiniType, Shape>();

/** The JSON Schema of the input, before transformations. */
export function shapeOf(schema: z.ZodMiniType): Shape {
  const known = shapes.get(schema);
  if (known !== undefined) return known;
  const shape = z.toJSONSchema(schema, { io: "input" }) as Shape;
  shapes.set(schema, shape);
  return shape;
}

type Definition<N extends EndpointName> = (typeof ENDPOINTS)[N];
type FieldsOf<T> = T extends object ? T : unknown;

/** The path parameters, the query and the body of a call as one object. No endpoint has two of them with the same name. */
export type Fields<N extends EndpointName> = FieldsOf<ParamsOf<Definition<N>>> &
  FieldsOf<QueryOf<Definition<N>>> &
  FieldsOf<BodyOf<Definition<N>>>;

/** The input of a call: these fields, and the example for each other field that the endpoint requires. A required flag is true. */
export function inputWith(
  name: EndpointName,
  fields: Readonly<Record<string, unknown>>,
  examples: Readonly<Record<string, unknown>>,
): { params?: object; query?: object; body?: object } {
  const { params, query, body }: Endpoint = ENDPOINTS[name];
  const valuesOf = (schema: z.ZodMiniType) => {
    const { properties = {}, required = [] } = shapeOf(schema);
    const given = Object.keys(properties).filter((field) => field in fields || required.includes(field));
    return Object.fromEntries(
      given.map((field) => {
        if (field in fields) return [field, fields[field]];
        if (field in examples) return [field, examples[field]];
        if (properties[field]?.type === "boolean") return [field, true];
        throw new Error(`there is no example for the field ${field} of ${name}`);
      }),
    );
  };
  return {
    ...(params !== undefined && { params: valuesOf(params) }),
    ...(query !== undefined && { query: valuesOf(query) }),
    ...(body !== undefined && { body: valuesOf(body) }),
  };
}

/** Examples for fields that endpoints require: this group, this person, and a text. */
export const examplesOf = (groupId: number, personId: number) => ({
  groupId,
  recvId: personId,
  friendId: personId,
  friendIds: [personId],
  userId: personId,
  userIds: [personId],
  uid: personId,
  clientId: "page",
  mode: "voice",
  userInfos: [{ id: personId }],
  offer: {},
  answer: {},
  candidate: {},
  type: 0,
  content: "new",
});
