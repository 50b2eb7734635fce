import type { ComponentPropsWithRef, ReactNode } from "react";
import { Search } from "lucide-react";
import { ICON_PROPS_16 } from "./icon-props.ts";
import styles from "./search-box.module.css";

export interface SearchBoxProps extends Omit<ComponentPropsWithRef<"input">, "className" | "type" | "size"> {
  /** Name for screen readers; also the placeholder. */
  label: string;
  /** Shown at the end of the field, e.g. a button. */
  end?: ReactNode;
  /** The field is part of a search form with further fields, which has the search role itself. */
  isPart?: boolean;
}

/** The search field above a list. */
export function SearchBox({ label, end, isPart = false, ...input }: SearchBoxProps) {
  const Wrapper = isPart ? "label" : "search";
  return (
    <Wrapper className={styles.search}>
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
    </Wrapper>
  );
}
