import {
  Globe,
  Info,
  Lock,
  LogOut,
  PanelLeftClose,
  PanelLeftOpen,
  RotateCw,
  SlidersHorizontal,
  SunMoon,
  Trash2,
} from "lucide-react";
import { setLanguage, useLocale, useText } from "../kit/i18n.ts";
import { openDialog } from "../kit/open-dialog.ts";
import { LOCALES, LOCALE_NAMES } from "../kit/locale.ts";
import { THEMES, setTheme, useTheme } from "../kit/theme.ts";
import { toasts } from "../kit/toasts.ts";
import { ICON_PROPS } from "../ui/icon-props.ts";
import { usePaneLayout } from "../ui/list-pane.tsx";
import { MenuItem, MenuRadioGroup, MenuSeparator, SubMenu } from "../ui/menu.tsx";

/** The items of the shell's popup menu (spec §2). */
export function MainMenuItems() {
  const t = useText();
  const locale = useLocale();
  const theme = useTheme();
  const { isCollapsed, setCollapsed } = usePaneLayout();
  return (
    <>
      <SubMenu icon={<Globe {...ICON_PROPS} />} label={t("app.language")}>
        <MenuRadioGroup
          label={t("app.language")}
          value={locale}
          items={LOCALES.map((value) => ({ value, text: LOCALE_NAMES[value], lang: value }))}
          onChange={(value) => void setLanguage(value).catch(() => toasts.error(t("failure.offline")))}
        />
      </SubMenu>
      <SubMenu icon={<SunMoon {...ICON_PROPS} />} label={t("app.theme")}>
        <MenuRadioGroup
          label={t("app.theme")}
          value={theme}
          items={THEMES.map((value) => ({ value, text: t(`theme.${value}`) }))}
          onChange={setTheme}
        />
      </SubMenu>
      <MenuItem
        icon={isCollapsed ? <PanelLeftOpen {...ICON_PROPS} /> : <PanelLeftClose {...ICON_PROPS} />}
        onSelect={() => setCollapsed(!isCollapsed)}
      >
        {t(isCollapsed ? "app.expandList" : "app.collapseList")}
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<SlidersHorizontal {...ICON_PROPS} />}
        onSelect={() => openDialog({ kind: "settings" })}
      >
        {t("menu.settings")}
      </MenuItem>
      <MenuItem icon={<Lock {...ICON_PROPS} />} onSelect={() => openDialog({ kind: "otherSettings" })}>
        {t("menu.otherSettings")}
      </MenuItem>
      <MenuItem
        icon={<Trash2 {...ICON_PROPS} />}
        isDanger
        onSelect={() => openDialog({ kind: "clearHistory" })}
      >
        {t("menu.clearHistory")}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<RotateCw {...ICON_PROPS} />} keys="F5" onSelect={() => location.reload()}>
        {t("menu.refresh")}
      </MenuItem>
      <MenuItem icon={<Info {...ICON_PROPS} />} onSelect={() => openDialog({ kind: "about" })}>
        {t("menu.about")}
      </MenuItem>
      <MenuItem icon={<LogOut {...ICON_PROPS} />} onSelect={() => openDialog({ kind: "confirmLogout" })}>
        {t("menu.logout")}
      </MenuItem>
    </>
  );
}
