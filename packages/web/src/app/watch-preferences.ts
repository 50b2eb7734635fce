import { preferencesChanged } from "../kit/settings/preferences.ts";
import { applyTextSize } from "../kit/settings/text-size.ts";
import { applyTheme } from "../kit/settings/appearance.ts";

/** Takes over the preferences that another tab of this browser changes. The language stays until the next start. */
export function watchPreferences(): void {
  addEventListener("storage", () => {
    preferencesChanged();
    applyTheme();
    applyTextSize();
  });
}
