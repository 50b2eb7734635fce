/** Languages of the server's own sentences. */
export const LANGUAGES = ["zh-CN", "zh-TW", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Older clients name no language, and show and compare these sentences. */
const UNNAMED: Language = "zh-CN";

const known = new Map<string, Language>();
const KNOWN_MAX = 1_000;

/** The reader's language by an Accept-Language header; zh-CN when it is absent or names none of ours. */
export function languageOf(header: string | undefined): Language {
  if (header === undefined) return UNNAMED;
  const before = known.get(header);
  if (before !== undefined) return before;
  const language = readHeader(header);
  if (known.size < KNOWN_MAX) known.set(header, language);
  return language;
}

function readHeader(header: string): Language {
  const wishes = header
    .split(",")
    .slice(0, 20)
    .map((part) => {
      const [tag = "", ...rest] = part.trim().toLowerCase().split(";");
      const q = rest.find((option) => option.trim().startsWith("q="));
      return { tag: tag.trim(), weight: q === undefined ? 1 : Number(q.trim().slice(2)) || 0 };
    })
    .filter((wish) => wish.weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { tag } of wishes) {
    if (/^zh-(tw|hk|mo|hant)\b/.test(tag)) return "zh-TW";
    if (/^zh\b/.test(tag)) return "zh-CN";
    if (/^en\b/.test(tag)) return "en";
  }
  return UNNAMED;
}
