import { useText } from "../kit/i18n.ts";
import styles from "./skip-link.module.css";

/** Link that skips the navigation; the first tab stop of the page. */
export function SkipLink() {
  const t = useText();
  return (
    <a
      className={styles.skip}
      href="#main"
      onClick={(event) => {
        event.preventDefault();
        document.getElementById("main")?.focus();
      }}
    >
      {t("app.skip")}
    </a>
  );
}
