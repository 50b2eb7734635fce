import { useMemo } from "react";
import { Globe, Keyboard, LogIn, SunMoon, UserRoundPlus, UsersRound } from "lucide-react";
import { APP_COMMANDS, type AppCommandId } from "../../kit/app-commands.tsx";
import type { SearchCommand } from "../../kit/search/use-search-sections.ts";
import { openDialog } from "../../kit/open-dialog.ts";
import { setLanguage, useText, type Text } from "../../kit/i18n.ts";
import { LOCALES, LOCALE_NAMES } from "../../kit/locale.ts";
import { THEMES, setTheme } from "../../kit/theme.ts";
import { toasts } from "../../kit/toasts.ts";
import { ICON_PROPS } from "../../ui/icon-props.ts";

/** The commands that the switcher offers. */
export function useCommands(): readonly SearchCommand[] {
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
        id: "createGroup",
        name: t("groups.create"),
        icon: <UsersRound {...ICON_PROPS} />,
        run: () => openDialog({ kind: "createGroup" }),
      },
      {
        id: "joinGroup",
        name: t("groups.join"),
        icon: <LogIn {...ICON_PROPS} />,
        run: () => openDialog({ kind: "joinGroup" }),
      },
      ...appCommands(["profile", "settings", "otherSettings", "broadcast"], t),
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
      ...appCommands(["refresh", "about", "clearHistory", "logout", "closeApp"], t),
    ],
    [t],
  );
}

function appCommands(ids: readonly AppCommandId[], t: Text): readonly SearchCommand[] {
  return ids.map((id) => {
    const { name, icon, run } = APP_COMMANDS[id];
    return { id, name: t(name), icon, run };
  });
}
