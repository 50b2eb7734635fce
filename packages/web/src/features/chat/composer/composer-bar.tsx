import type { ReactNode } from "react";
import { X } from "lucide-react";
import { IconButton } from "../../../ui/button.tsx";
import { ICON_PROPS } from "../../../ui/icon-props.ts";
import styles from "./composer-bar.module.css";

interface ComposerBarProps {
  /** Stands before the words; without it a quote's bar. */
  icon?: ReactNode;
  title: string;
  text: string;
  closeLabel: string;
  onClose: () => void;
}

/** Above the field: what the message being written belongs to. */
export function ComposerBar({ icon, title, text, closeLabel, onClose }: ComposerBarProps) {
  return (
    <div className={styles.bar} data-composer-bar>
      {icon === undefined ? <span className={styles.mark} /> : <span className={styles.icon}>{icon}</span>}
      <div className={styles.words}>
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
