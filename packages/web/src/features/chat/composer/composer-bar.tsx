import type { ReactNode } from "react";
import { X } from "lucide-react";
import { IconButton } from "../../../ui/button.tsx";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import styles from "./composer-bar.module.css";

interface ComposerBarProps {
  /** Shown before the text; without it the bar has the vertical line of a quote. */
  icon?: ReactNode;
  title: string;
  text: string;
  closeLabel: string;
  onClose: () => void;
}

/** A bar above the field: which message is quoted or edited, or that receipts are requested. */
export function ComposerBar({ icon, title, text, closeLabel, onClose }: ComposerBarProps) {
  return (
    <div className={styles.bar} data-composer-bar>
      {icon === undefined ? (
        <span className={styles.quoteLine} />
      ) : (
        <span className={styles.icon}>{icon}</span>
      )}
      <div className={styles.lines}>
        <div className={styles.title} dir="auto">
          {title}
        </div>
        <div className={styles.text} dir="auto">
          {text}
        </div>
      </div>
      <IconButton label={closeLabel} size={32} tooltipSide="top" onClick={onClose}>
        <X {...ICON_PROPS} />
      </IconButton>
    </div>
  );
}
