import { useLocale } from "../kit/i18n.ts";

/** Names the web app manifest of the current language (`web-manifest.ts`), so that the installed app speaks it too. */
export function ManifestLink() {
  return <link rel="manifest" href={`/manifest.${useLocale()}.webmanifest`} />;
}
