import { useEffect, useRef } from "react";
import { useText } from "../../../kit/i18n/i18n.ts";
import styles from "./search-bar-placeholder.module.css";

/** Shown until the search bar is loaded. It takes the text that is typed until then, which must not go into the composer. */
export function SearchBarPlaceholder({ typed }: { typed: { current: string } }) {
  const t = useText();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <div className={styles.bar} role="search" aria-busy="true">
      <input
        ref={field}
        type="search"
        className={styles.input}
        aria-label={t("chat.find")}
        autoComplete="off"
        onInput={(event) => (typed.current = event.currentTarget.value)}
      />
    </div>
  );
}
