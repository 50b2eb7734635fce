import styles from "./switch.module.css";

export interface SwitchProps {
  /** Id of the element with its label. */
  labelId: string;
  /** Id of an element with a further explanation. */
  hintId?: string | undefined;
  isOn: boolean;
  isDisabled?: boolean;
  onChange: (isOn: boolean) => void;
}

/** A switch that takes effect at once. */
export function Switch({ labelId, hintId, isOn, isDisabled = false, onChange }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      className={styles.switch}
      aria-checked={isOn}
      aria-labelledby={labelId}
      aria-describedby={hintId}
      disabled={isDisabled}
      onClick={() => onChange(!isOn)}
    >
      <span className={styles.track}>
        <span className={styles.thumb} />
      </span>
    </button>
  );
}
