/** What an endpoint takes, read from its definition, and calls made of examples. */
import type * as z from "zod/mini";
import type { BodyOf, Endpoint, ParamsOf, QueryOf } from "@parley/protocol/endpoint";
import type { ENDPOINTS, EndpointName } from "@parley/protocol/endpoints/all";
import { type Ids, idFieldsOf, idOf } from "./id-fields.ts";
import { type Shape, shapeOf } from "./shape-of.ts";

type Definition<N extends EndpointName> = (typeof ENDPOINTS)[N];
type FieldsOf<T> = T extends object ? T : unknown;

/** The path parameters, the query and the body of a call as one object. No endpoint has two of them with the same name. */
export type Fields<N extends EndpointName> = FieldsOf<ParamsOf<Definition<N>>> &
  FieldsOf<QueryOf<Definition<N>>> &
  FieldsOf<BodyOf<Definition<N>>>;

/** What a required field gets that is no id and has no example of its own: the first of these that its schema accepts. */
const EXAMPLES: readonly unknown[] = [true, 1, {}, [], "new", "1", "👍"];

/** Fields whose example has to be a certain one. */
const EXAMPLES_OF_NAMES: Readonly<Record<string, unknown>> = { mode: "voice", type: 0, starts: "0,86400000" };

/** The input of a call: these fields, and an example for each other field that it requires. Ids are of `ids`. */
export function inputWith(
  endpoint: Endpoint,
  fields: Readonly<Record<string, unknown>>,
  ids: Ids,
): { params?: object; query?: object; body?: object } {
  const { params, query, body } = endpoint;
  const idFields = new Map(idFieldsOf(endpoint).map((field) => [field.name, field]));
  const exampleOf = (name: string, shape: Shape, schema: z.ZodMiniType | undefined) => {
    const idField = idFields.get(name);
    if (idField !== undefined) return idOf(idField, idField.things[0], ids);
    if (name === "userInfos") return [{ id: ids.person }];
    const example = [EXAMPLES_OF_NAMES[name], ...(shape.enum ?? []), ...EXAMPLES].find(
      (value) => value !== undefined && schema?.safeParse(value).success,
    );
    if (example === undefined)
      throw new Error(`there is no example for the field ${name} of ${endpoint.method} ${endpoint.path}`);
    return example;
  };
  const valuesOf = (schema: z.ZodMiniType) => {
    const { properties = {}, required = [] } = shapeOf(schema);
    const schemas = (schema as Partial<z.ZodMiniObject>).shape as
      | Readonly<Record<string, z.ZodMiniType>>
      | undefined;
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => name in fields || required.includes(name))
        .map(([name, shape]) => [
          name,
          name in fields ? fields[name] : exampleOf(name, shape, schemas?.[name]),
        ]),
    );
  };
  return {
    ...(params !== undefined && { params: valuesOf(params) }),
    ...(query !== undefined && { query: valuesOf(query) }),
    ...(body !== undefined && { body: valuesOf(body) }),
  };
}
