import { Menu as MenuIcon } from "lucide-react";
import { Link, useLocation } from "wouter";
import { useText } from "../kit/i18n.ts";
import { Badge } from "../ui/badge.tsx";
import { classNames } from "../ui/class-names.ts";
import { ICON_PROPS_24 } from "../ui/icon-props.ts";
import { useAreas } from "./areas.tsx";
import styles from "./tab-bar.module.css";

/** The navigation at the bottom of a small screen. */
export function TabBar() {
  const t = useText();
  const [location] = useLocation();
  const me = { path: "/home/me", name: t("nav.me"), label: t("nav.me"), count: 0, Icon: MenuIcon };
  return (
    <nav className={styles.bar} aria-label={t("nav.label")} data-landmark="nav">
      {[...useAreas(), me].map(({ path, name, label, count, Icon }) => (
        <Link
          key={path}
          href={path}
          className={classNames(styles.tab, location === path && styles.here)}
          aria-current={location === path ? "page" : undefined}
        >
          <Icon {...ICON_PROPS_24} />
          <span className="visually-hidden">{label}</span>
          <span aria-hidden="true">{name}</span>
          <Badge count={count} className={styles.badge} />
        </Link>
      ))}
    </nav>
  );
}
