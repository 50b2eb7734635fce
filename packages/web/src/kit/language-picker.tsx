import { LOCALE_NAMES, LOCALES, isLocale } from "./locale.ts";
import { setLanguage, useLocale, useText } from "./i18n.ts";
import { QuietSelect } from "../ui/quiet-select.tsx";
import { GlobeGlyph } from "../ui/glyphs.tsx";

/** The three languages, each by its own name, in a native list. */
export function LanguagePicker() {
  const t = useText();
  const locale = useLocale();
  return (
    <QuietSelect
      label={t("app.language")}
      icon={<GlobeGlyph />}
      value={locale}
      onChange={(value) => {
        if (isLocale(value)) void setLanguage(value).catch(() => undefined);
      }}
      options={LOCALES.map((value) => ({ value, text: LOCALE_NAMES[value], lang: value }))}
    />
  );
}
