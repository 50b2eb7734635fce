import { desktopBridge } from "../kit/desktop.ts";
import { useLocale } from "../kit/i18n.ts";

/** Names the web app manifest of the current language (`web-manifest.ts`), so that the installed app speaks it too. The desktop application needs
 * no installing. */
export function ManifestLink() {
  const locale = useLocale();
  return desktopBridge() === null && <link rel="manifest" href={`/manifest.${locale}.webmanifest`} />;
}
