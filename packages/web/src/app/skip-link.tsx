import { useText } from "../kit/i18n.ts";
import styles from "./skip-link.module.css";

/** First stop of the Tab key: over the navigation to the content. */
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
