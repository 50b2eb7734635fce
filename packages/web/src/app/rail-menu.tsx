import { Menu as MenuIcon } from "lucide-react";
import { useText } from "../kit/i18n.ts";
import { IconButton } from "../ui/button.tsx";
import { ICON_PROPS } from "../ui/icon-props.ts";
import { Menu } from "../ui/menu.tsx";
import { MainMenuItems } from "./main-menu.tsx";
import styles from "./rail.module.css";

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
