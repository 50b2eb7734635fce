/** Languages of the client (spec §1), in the order menus show them. */
export const LOCALES = ["zh-CN", "en-US", "zh-TW"] as const;
export type Locale = (typeof LOCALES)[number];

/** Each language by its own name, because a person who cannot read the current one must find theirs. */
export const LOCALE_NAMES: Readonly<Record<Locale, string>> = {
  "zh-CN": "简体中文",
  "en-US": "English",
  "zh-TW": "繁體中文",
};

/** Whether a value is a language of the client. */
export function isLocale(value: unknown): value is Locale {
  return LOCALES.some((locale) => locale === value);
}

/** The saved choice; otherwise any zh browser gets zh-CN and every other one en-US (spec §1). */
export function chooseLocale(saved: string | null, browserLanguage: string): Locale {
  if (isLocale(saved)) return saved;
  return /^zh\b/i.test(browserLanguage) ? "zh-CN" : "en-US";
}
