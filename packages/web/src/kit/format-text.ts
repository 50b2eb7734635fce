/** A text as the build compiles it: plain strings, named values, and plural or select forms. In plural forms "#" stands for the count. */
export type CompiledText = string | readonly Token[];
type Token =
  | string
  | readonly [name: string]
  | readonly [name: string, kind: "plural" | "select", forms: Readonly<Record<string, CompiledText>>];

type Values = Readonly<Record<string, string | number>>;

/** Formats a text with its values. A plural form for the exact count takes precedence over the language's rules. */
export function formatText(text: CompiledText, values: Values, locale: string, count?: number): string {
  if (typeof text === "string") return text;
  const format = (token: Token): string => {
    if (token === "#" && count !== undefined) return new Intl.NumberFormat(locale).format(count);
    if (typeof token === "string") return token;
    const [name, kind, forms] = token;
    if (forms === undefined) return String(values[name] ?? "");
    const other = forms["other"] ?? "";
    if (kind === "select") return formatText(forms[values[name] ?? ""] ?? other, values, locale, count);
    const value = Number(values[name]);
    const form = forms[value] ?? forms[new Intl.PluralRules(locale).select(value)] ?? other;
    return formatText(form, values, locale, value);
  };
  return text.map(format).join("");
}
