import { LOCALE_NAMES, LOCALES, isLocale } from "./locale.ts";
import { setLanguage, useLocale, useText } from "./i18n.ts";
import { InlineSelect } from "../ui/inline-select.tsx";
import { GlobeIcon } from "../ui/icons.tsx";

/** A native select with the three languages, each by its own name. */
export function LanguagePicker() {
  const t = useText();
  const locale = useLocale();
  return (
    <InlineSelect
      label={t("app.language")}
      icon={<GlobeIcon />}
      value={locale}
      onChange={(value) => {
        if (isLocale(value)) void setLanguage(value).catch(() => undefined);
      }}
      options={LOCALES.map((value) => ({ value, text: LOCALE_NAMES[value], lang: value }))}
    />
  );
}
