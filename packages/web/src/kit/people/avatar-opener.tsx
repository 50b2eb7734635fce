import type { ReactNode } from "react";
import { classNames } from "../../ui/class-names.ts";
import { useText } from "../i18n/i18n.ts";
import { openPicture } from "../dialogs/open-dialog.ts";
import styles from "./avatar-opener.module.css";

interface AvatarOpenerProps {
  /** The whole picture, absolute; null: there is none, and nothing to open. */
  url: string | null;
  thumbUrl: string | null;
  name: string;
  /** As of the avatar: circle for people, rounded for groups. */
  shape?: "circle" | "rounded";
  /** The avatar. */
  children: ReactNode;
}

/** An avatar that opens the whole picture, if there is one. */
export function AvatarOpener({ url, thumbUrl, name, shape = "circle", children }: AvatarOpenerProps) {
  const t = useText();
  if (url === null) return children;
  return (
    <button
      type="button"
      className={classNames(styles.button, shape === "rounded" && styles.rounded)}
      aria-label={t("viewer.openPicture", { name })}
      onClick={() => openPicture(url, name, thumbUrl)}
    >
      {children}
    </button>
  );
}
