import { useState } from "react";
import type { CSSProperties, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { avatarColour, initials } from "./initials.ts";
import styles from "./avatar.module.css";

export interface AvatarProps {
  name: string;
  /** Absolute url of the picture. Without one, or if it cannot be loaded, the avatar shows initials. */
  url?: string | null | undefined;
  /** Id that decides the colour. */
  id: number;
  /** px at the default text size. */
  size?: number;
  /** Circle for people, rounded for groups and the system chat. */
  shape?: "circle" | "rounded";
  /** Shows the online dot. */
  isOnline?: boolean | undefined;
  /** Shown instead of initials, e.g. a bell for the system chat. */
  icon?: ReactNode;
}

/** Picture of a person or a chat. It is hidden from screen readers, because the name is next to it or labels the control around it. */
export function Avatar({ name, url, id, size = 40, shape = "circle", isOnline = false, icon }: AvatarProps) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null);
  const style = { "--avatar": `calc(${size} * var(--px))`, "--colour": `var(--av${avatarColour(id)})` };
  const showsPicture = url != null && url !== "" && url !== brokenUrl;
  return (
    <span
      className={classNames(styles.avatar, styles[shape], size >= 56 && styles.large)}
      style={style as CSSProperties}
      aria-hidden="true"
    >
      {showsPicture ? (
        <img
          className={styles.picture}
          src={url}
          alt=""
          draggable={false}
          decoding="async"
          onError={() => setBrokenUrl(url)}
        />
      ) : (
        (icon ?? <span className={styles.initials} data-initials={initials(name, shape === "circle")} />)
      )}
      {isOnline && <span className={styles.dot} />}
    </span>
  );
}
