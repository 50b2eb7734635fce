/** The JSON Schema of what an endpoint takes. */
import * as z from "zod/mini";

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
