/** A text as the build compiles it: plain strings, named values, and plural or select forms. In plural forms "#" stands for the count. */
export type CompiledText = string | readonly Token[];
type Token =
  | string
  | readonly [name: string]
  | readonly [name: string, kind: "plural" | "select", forms: Readonly<Record<string, CompiledText>>];

type Values = Readonly<Record<string, string | number>>;

/**
 * Formats a text with its values. A number is written in the way of the language, so that one that identifies something must be a string.
 * A plural form for the exact count takes precedence over the language's rules.
 */
export function formatText(text: CompiledText, values: Values, locale: string, count?: number): string {
  if (typeof text === "string") return text;
  const format = (token: Token): string => {
    if (token === "#" && count !== undefined) return count.toLocaleString(locale);
    if (typeof token === "string") return token;
    const [name, kind, forms] = token;
    const value = values[name] ?? "";
    if (forms === undefined) return typeof value === "number" ? value.toLocaleString(locale) : value;
    const other = forms["other"] ?? "";
    if (kind === "select") return formatText(forms[value] ?? other, values, locale, count);
    const number = Number(value);
    const form = forms[number] ?? forms[new Intl.PluralRules(locale).select(number)] ?? other;
    return formatText(form, values, locale, number);
  };
  return text.map(format).join("");
}
