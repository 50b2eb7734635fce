import { useMemo } from "react";
import type { UiTexts } from "../../ui/ui-texts.ts";
import { useText } from "./i18n.ts";

/** The texts for the components of `ui`, in the current language. */
export function useTranslatedUiTexts(): UiTexts {
  const t = useText();
  return useMemo(
    () => ({
      close: t("app.close"),
      showPassword: t("field.showPassword"),
      hidePassword: t("field.hidePassword"),
      loading: t("app.loading"),
      menu: t("nav.menu"),
      resizeList: t("app.resizeList"),
      notifications: t("app.notifications"),
    }),
    [t],
  );
}
