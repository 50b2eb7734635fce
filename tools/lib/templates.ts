import { API, type Checker } from "typescript/unstable/sync";
import { type Node, type SourceFile } from "typescript/unstable/ast";
import { isTemplateExpression } from "typescript/unstable/ast/is";

/** A template string with all possible values of its insertions by their types; `null` for an insertion that can have any value. */
export interface Template {
  parts: readonly string[];
  values: readonly (readonly string[] | null)[];
  offset: number;
}

/** The template strings of some files with the compiler's types. `config`: the project of the files. */
export function templatesOf(
  root: string,
  config: string,
  files: readonly string[],
): ReadonlyMap<string, readonly Template[]> {
  const api = new API({ cwd: root });
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (project === undefined) throw new Error(`${config} is not a project`);
    const { program, checker } = project;
    return new Map(
      files.map((file) => {
        const source = program.getSourceFile(file);
        if (source === undefined) throw new Error(`${file} is not in ${config}`);
        return [file, templatesIn(source, checker)];
      }),
    );
  } finally {
    api.close();
  }
}

function templatesIn(source: SourceFile, checker: Checker): Template[] {
  const found: Template[] = [];
  const visitNode = (node: Node): void => {
    if (isTemplateExpression(node)) {
      found.push({
        parts: [node.head.text, ...node.templateSpans.map((span) => span.literal.text)],
        values: node.templateSpans.map((span) => valuesOf(span.expression, checker)),
        offset: node.getStart(),
      });
    }
    node.forEachChild(visitNode);
  };
  visitNode(source);
  return found;
}

function valuesOf(expression: Node, checker: Checker): string[] | null {
  const type = checker.getTypeAtLocation(expression);
  if (type === undefined) return null;
  const members = type.isUnionType() ? type.getTypes() : [type];
  const values = members.map((member) => ("value" in member ? member.value : undefined));
  return values.every((value) => typeof value === "string" || typeof value === "number")
    ? values.map(String)
    : null;
}

/** Every string that a template can produce. `fallback`: the values of an insertion that can have any value by its type. */
export function stringsOf({ parts, values }: Template, fallback: readonly string[] | null): string[] | null {
  let all = [parts[0] ?? ""];
  for (const [i, typedValues] of values.entries()) {
    const insertions = typedValues ?? fallback;
    if (insertions === null) return null;
    all = all.flatMap((start) => insertions.map((value) => start + value + (parts[i + 1] ?? "")));
  }
  return all;
}
