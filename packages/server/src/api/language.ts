/** Languages of the server's own sentences. */
export const LANGUAGES = ["zh-CN", "zh-TW", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** For clients that name no language: older clients show these sentences and compare them. */
const UNNAMED: Language = "zh-CN";

const cache = new Map<string, Language>();
const CACHED_MAX = 1_000;

/** The reader's language from an Accept-Language header; zh-CN if it is missing or names none of ours. */
export function languageOf(header: string | undefined): Language {
  if (header === undefined) return UNNAMED;
  const cached = cache.get(header);
  if (cached !== undefined) return cached;
  const language = readHeader(header);
  if (cache.size < CACHED_MAX) cache.set(header, language);
  return language;
}

function readHeader(header: string): Language {
  const preferences = header
    .split(",")
    .slice(0, 20)
    .map((part) => {
      const [tag = "", ...rest] = part.trim().toLowerCase().split(";");
      const q = rest.find((option) => option.trim().startsWith("q="));
      return { tag: tag.trim(), weight: q === undefined ? 1 : Number(q.trim().slice(2)) || 0 };
    })
    .filter((preference) => preference.weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { tag } of preferences) {
    if (/^zh-(tw|hk|mo|hant)\b/.test(tag)) return "zh-TW";
    if (/^zh\b/.test(tag)) return "zh-CN";
    if (/^en\b/.test(tag)) return "en";
  }
  return UNNAMED;
}
