import { useText } from "../kit/i18n.ts";
import { Logo } from "../ui/logo.tsx";
import styles from "./booting.module.css";

/** Shown while it is not known what to show. The logo fades in with a delay, so that a fast start never shows it. */
export function Booting() {
  const t = useText();
  return (
    <div className={styles.booting} aria-busy="true">
      <Logo size={56} />
      <output className="visually-hidden">{t("app.loading")}</output>
    </div>
  );
}
