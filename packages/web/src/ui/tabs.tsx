import type { ReactNode } from "react";
import * as Radix from "radix-ui/tabs";
import styles from "./tabs.module.css";

export interface Tab<Value extends string> {
  readonly value: Value;
  readonly text: string;
  readonly content: ReactNode;
}

export interface TabsProps<Value extends string> {
  /** Name of the list of tabs for screen readers. */
  label: string;
  tabs: readonly Tab<Value>[];
  value: Value;
  onChange: (value: Value) => void;
}

/** Panels under a line of tabs: arrow keys, Home and End; what does not fit is scrolled to. */
export function Tabs<Value extends string>({ label, tabs, value, onChange }: TabsProps<Value>) {
  const change = (chosen: string) => {
    const tab = tabs.find((one) => one.value === chosen);
    if (tab !== undefined) onChange(tab.value);
  };
  return (
    <Radix.Root className={styles.root} value={value} onValueChange={change}>
      <Radix.List className={styles.list} aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className={styles.tab}
            onFocus={(event) => event.currentTarget.scrollIntoView({ block: "nearest", inline: "nearest" })}
          >
            {tab.text}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className={styles.panel}>
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
