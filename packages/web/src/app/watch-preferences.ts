import { preferencesChanged } from "../kit/preferences.ts";
import { applyTextSize } from "../kit/text-size.ts";
import { applyTheme } from "../kit/theme.ts";

/** Takes over the preferences that another tab of this browser changes. The language stays until the next start. */
export function watchPreferences(): void {
  addEventListener("storage", () => {
    preferencesChanged();
    applyTheme();
    applyTextSize();
  });
}
