import type { ComponentPropsWithRef, ReactNode } from "react";
import { Search } from "lucide-react";
import { ICON_16 } from "./icon.ts";
import styles from "./search-box.module.css";

export interface SearchBoxProps extends Omit<ComponentPropsWithRef<"input">, "className" | "type" | "size"> {
  /** Name for screen readers; also the placeholder. */
  label: string;
  /** At the end of the field, e.g. a key that searches further. */
  end?: ReactNode;
}

/** The soft search field on top of a list. */
export function SearchBox({ label, end, ...input }: SearchBoxProps) {
  return (
    <search className={styles.search}>
      <Search {...ICON_16} />
      <input
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        {...input}
        type="search"
        className={styles.input}
        aria-label={label}
      />
      {end}
    </search>
  );
}
