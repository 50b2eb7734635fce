import { preferencesChanged } from "../kit/settings/preferences.ts";
import { applyTextSize, applyTheme } from "../kit/settings/appearance.ts";

/** Takes over the preferences that another tab of this browser changes. The language stays until the next start. */
export function watchPreferences(): void {
  addEventListener("storage", () => {
    preferencesChanged();
    applyTheme();
    applyTextSize();
  });
}
