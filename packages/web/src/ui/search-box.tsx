import type { ComponentPropsWithRef, ReactNode } from "react";
import { Search } from "lucide-react";
import { ICON_PROPS_16 } from "./icon-props.ts";
import styles from "./search-box.module.css";

export interface SearchBoxProps extends Omit<ComponentPropsWithRef<"input">, "className" | "type" | "size"> {
  /** Name for screen readers; also the placeholder. */
  label: string;
  /** At the end of the field, e.g. a key that searches further. */
  end?: ReactNode;
  /** Stands in a search that asks for more than words. */
  isPart?: boolean;
}

/** The soft search field on top of a list. */
export function SearchBox({ label, end, isPart = false, ...input }: SearchBoxProps) {
  const Around = isPart ? "label" : "search";
  return (
    <Around className={styles.search}>
      <Search {...ICON_PROPS_16} />
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
    </Around>
  );
}
