/** Writes JSON schemas as TypeScript-like types: `{ id: number, name: string | null }`. */
import * as z from "zod/mini";

interface Schema {
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: Schema | boolean;
}

/** Shapes longer than this get one line per field. */
const LINE_MAX = 60;

/** The shape of a value on the wire, before the schema converts it. */
export function shapeOf(schema: z.ZodMiniType): string {
  return write(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Schema, "");
}

function write(schema: Schema, indent: string): string {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map((choice) => write(choice, indent)))].join(" | ");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (typeof schema.type === "object") return schema.type.join(" | ");
  if (schema.type === "array") return `${bracket(write(schema.items ?? {}, indent))}[]`;
  if (schema.type === "object") return writeObject(schema, indent);
  return schema.type ?? "any";
}

function bracket(shape: string): string {
  return shape.includes(" | ") && !shape.startsWith("{") ? `(${shape})` : shape;
}

function writeObject({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  if (properties === undefined) {
    const values = typeof additionalProperties === "object" ? write(additionalProperties, indent) : "any";
    return `{ [name]: ${values} }`;
  }
  const deeper = `${indent}  `;
  const fields = Object.entries(properties).map(
    ([name, property]) => `${name}${required.includes(name) ? "" : "?"}: ${write(property, deeper)}`,
  );
  const line = `{ ${fields.join(", ")} }`;
  if (line.length <= LINE_MAX && !line.includes("\n")) return line;
  return `{\n${fields.map((field) => `${deeper}${field}`).join("\n")}\n${indent}}`;
}
