import { useMemo } from "react";
import type { ReactNode } from "react";
import {
  Globe,
  Info,
  Keyboard,
  Lock,
  LogOut,
  RotateCw,
  SlidersHorizontal,
  SunMoon,
  Trash2,
  UserRoundPlus,
} from "lucide-react";
import { openDialog } from "../../kit/open-dialog.ts";
import { setLanguage, useText } from "../../kit/i18n.ts";
import { LOCALES, LOCALE_NAMES } from "../../kit/locale.ts";
import { THEMES, setTheme } from "../../kit/theme.ts";
import { toasts } from "../../kit/toasts.ts";
import { ICON_PROPS } from "../../ui/icon-props.ts";

/** A command of the quick switcher. */
export interface Command {
  readonly id: string;
  readonly name: string;
  readonly icon: ReactNode;
  readonly run: () => void;
}

/** The commands that the switcher offers. */
export function useCommands(): readonly Command[] {
  const t = useText();
  return useMemo(
    () => [
      {
        id: "addFriend",
        name: t("friend.add"),
        icon: <UserRoundPlus {...ICON_PROPS} />,
        run: () => openDialog({ kind: "addFriend" }),
      },
      {
        id: "settings",
        name: t("menu.settings"),
        icon: <SlidersHorizontal {...ICON_PROPS} />,
        run: () => openDialog({ kind: "settings" }),
      },
      {
        id: "otherSettings",
        name: t("menu.otherSettings"),
        icon: <Lock {...ICON_PROPS} />,
        run: () => openDialog({ kind: "otherSettings" }),
      },
      ...THEMES.map((theme) => ({
        id: `theme.${theme}`,
        name: t("search.themeCommand", { name: t(`theme.${theme}`) }),
        icon: <SunMoon {...ICON_PROPS} />,
        run: () => setTheme(theme),
      })),
      ...LOCALES.map((locale) => ({
        id: `language.${locale}`,
        name: t("search.languageCommand", { name: LOCALE_NAMES[locale] }),
        icon: <Globe {...ICON_PROPS} />,
        run: () => void setLanguage(locale).catch(() => toasts.error(t("failure.offline"))),
      })),
      {
        id: "shortcuts",
        name: t("keys.title"),
        icon: <Keyboard {...ICON_PROPS} />,
        run: () => openDialog({ kind: "shortcuts" }),
      },
      {
        id: "refresh",
        name: t("menu.refresh"),
        icon: <RotateCw {...ICON_PROPS} />,
        run: () => location.reload(),
      },
      {
        id: "about",
        name: t("menu.about"),
        icon: <Info {...ICON_PROPS} />,
        run: () => openDialog({ kind: "about" }),
      },
      {
        id: "clearHistory",
        name: t("menu.clearHistory"),
        icon: <Trash2 {...ICON_PROPS} />,
        run: () => openDialog({ kind: "clearHistory" }),
      },
      {
        id: "logout",
        name: t("menu.logout"),
        icon: <LogOut {...ICON_PROPS} />,
        run: () => openDialog({ kind: "confirmLogout" }),
      },
    ],
    [t],
  );
}
