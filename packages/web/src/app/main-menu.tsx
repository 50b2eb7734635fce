import { Globe, Menu as MenuIcon, PanelLeftClose, PanelLeftOpen, ShieldCheck, SunMoon } from "lucide-react";
import { useLocation } from "wouter";
import { setLanguage, useLocale, useText } from "../kit/i18n/i18n.ts";
import { LOCALE_NAMES, LOCALES } from "../kit/i18n/locale.ts";
import { shortcutHint } from "../kit/settings/shortcut-table.ts";
import { setTheme, THEMES, useTheme } from "../kit/settings/appearance.ts";
import { toasts } from "../kit/dialogs/toasts.ts";
import { useClientState } from "../kit/loading/use-client.ts";
import { IconButton } from "../ui/button.tsx";
import { ICON_PROPS } from "../ui/icon-props.ts";
import { usePaneLayout } from "../ui/list-pane.tsx";
import { Menu, MenuItem, MenuRadioGroup, MenuSeparator, SubMenu } from "../ui/menu.tsx";
import { APP_COMMANDS, type AppCommand } from "./commands.ts";
import styles from "./navigation.module.css";

/** The menu at the bottom of the rail. It is loaded at its first use, so it opens as soon as it is mounted. */
export function RailMenu() {
  const t = useText();
  return (
    <Menu
      side="right"
      align="end"
      offset={18}
      width={232}
      isOpenAtFirst
      trigger={
        <IconButton label={t("nav.menu")} className={styles.menu} tooltipSide="right">
          <MenuIcon {...ICON_PROPS} />
        </IconButton>
      }
    >
      <MainMenuItems />
    </Menu>
  );
}

/** The items of the shell's popup menu (spec §2). */
function MainMenuItems() {
  const t = useText();
  const locale = useLocale();
  const theme = useTheme();
  const { isCollapsed, setCollapsed } = usePaneLayout();
  const isAdmin = useClientState((state) => state.me?.isAdmin === true);
  const [, navigate] = useLocation();
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
      <CommandItems part={1} />
      {isAdmin && (
        <MenuItem icon={<ShieldCheck {...ICON_PROPS} />} onSelect={() => navigate("/admin")}>
          {t("menu.administration")}
        </MenuItem>
      )}
      <MenuSeparator />
      <CommandItems part={2} />
      <MenuSeparator />
      <CommandItems part={3} />
    </>
  );
}

function CommandItems({ part }: { part: AppCommand["menuPart"] }) {
  const t = useText();
  return APP_COMMANDS.filter(({ menuPart }) => menuPart === part).map((command) => {
    const { id, name, Icon, isDanger = false, shortcut, browserKeys, run } = command;
    const keys = shortcut === undefined ? browserKeys : shortcutHint(shortcut);
    return (
      <MenuItem
        key={id}
        icon={<Icon {...ICON_PROPS} />}
        isDanger={isDanger}
        {...(keys !== undefined && { keys })}
        onSelect={run}
      >
        {name(t)}
      </MenuItem>
    );
  });
}
