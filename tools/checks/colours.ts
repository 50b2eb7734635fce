import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { type Check } from "../lib/check-type.ts";
import { filesUnder } from "../lib/files.ts";
import { parseSource, locationOf, visit } from "../lib/parse-source.ts";

/** The only file that may define colours. */
const TOKENS = "packages/web/src/ui/tokens.css";

const COLOUR_NAMES = new Set(
  `aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood cadetblue chartreuse
  chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta
  darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet
  deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green
  greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral
  lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray
  lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple
  mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite
  navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink
  plum powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue
  slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow
  yellowgreen`.split(/\s+/),
);
const HEX = /#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b/i;
const FUNCTION = /\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(/i;

/** The first colour in a CSS value, if there is one. */
function colourIn(value: string): string | undefined {
  const withoutVariables = value.replace(/var\(\s*--[\w-]+/g, "var(").replace(/url\([^)]*\)/g, "");
  const name = withoutVariables.match(/[\w-]+/g)?.find((part) => COLOUR_NAMES.has(part.toLowerCase()));
  return HEX.exec(withoutVariables)?.[0] ?? FUNCTION.exec(withoutVariables)?.[0] ?? name;
}

function problemsOfCss(path: string, text: string): string[] {
  const problems: string[] = [];
  // Blanked to the same length, so that line numbers stay correct.
  const plain = text.replace(/\/\*[^]*?\*\/|"[^"\n]*"|'[^'\n]*'/g, (part) => part.replace(/[^\n]/g, " "));
  // Only the text between a property's colon and the end of the declaration is a value; `a:hover {` is a selector.
  for (const { 1: value = "", index } of plain.matchAll(/[\w-]+\s*:([^;{}]*)(?=[;}])/g)) {
    const colour = colourIn(value);
    if (colour === undefined) continue;
    const line = plain.slice(0, index).split("\n").length;
    problems.push(`${path}:${line} writes the colour ${colour}; use a token of ${TOKENS}`);
  }
  return problems;
}

function problemsOfScript(root: string, file: string): string[] {
  const source = parseSource(root, file);
  const problems: string[] = [];
  const check = (text: string, offset: number, mayBeName: boolean): void => {
    const colour =
      HEX.exec(text)?.[0] ??
      FUNCTION.exec(text)?.[0] ??
      (mayBeName && COLOUR_NAMES.has(text) ? text : undefined);
    if (colour !== undefined)
      problems.push(`${locationOf(source, offset)} writes the colour ${colour}; use a token of ${TOKENS}`);
  };
  const isColourName = (name: string): boolean =>
    /colou?r|background|fill|stroke|border|shadow|outline/i.test(name);
  visit(source, {
    Literal({ value, start }) {
      if (typeof value === "string") check(value, start, false);
    },
    TemplateElement({ value, start }) {
      check(value.raw, start, false);
    },
    Property({ key, value, start }) {
      if (key.type === "Identifier" && isColourName(key.name) && value.type === "Literal")
        check(`${value.value}`, start, true);
    },
    JSXAttribute({ name, value, start }) {
      if (name.type === "JSXIdentifier" && isColourName(name.name) && value?.type === "Literal")
        check(value.value, start, true);
    },
  });
  return [...new Set(problems)];
}

/** Colours are defined in the tokens only, so that a theme changes in one place. */
export const colours: Check = {
  name: "colours",
  async run(root) {
    const problems: string[] = [];
    for (const file of filesUnder(`${root}/packages/web/src`)) {
      const path = relative(root, file).replaceAll("\\", "/");
      if (path === TOKENS || /\.test\.tsx?$/.test(path)) continue;
      if (path.endsWith(".css")) problems.push(...problemsOfCss(path, readFileSync(file, "utf8")));
      if (path.endsWith(".tsx")) problems.push(...problemsOfScript(root, file));
    }
    return problems;
  },
};
