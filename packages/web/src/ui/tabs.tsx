import { useLayoutEffect, useRef } from "react";
import type { ReactNode } from "react";
import * as Radix from "radix-ui/tabs";
import { Box, Stack } from "./layout.tsx";
import styles from "./tabs.module.css";

/** A tab and its panel. */
export interface Tab<Value extends string> {
  readonly value: Value;
  readonly text: ReactNode;
  readonly content: ReactNode;
}

export interface TabsProps<Value extends string> {
  /** Name of the list of tabs for screen readers. */
  label: string;
  tabs: readonly Tab<Value>[];
  value: Value;
  onChange: (value: Value) => void;
}

/** Panels below a row of tabs, with arrow keys, Home and End. Tabs that do not fit begin another line; on phones the row scrolls to the sides. */
export function Tabs<Value extends string>({ label, tabs, value, onChange }: TabsProps<Value>) {
  const change = (selected: string) => {
    const tab = tabs.find((candidate) => candidate.value === selected);
    if (tab !== undefined) onChange(tab.value);
  };
  const list = useRef<HTMLDivElement>(null);
  // Keep the active tab in the middle. scrollIntoView would move the boxes around the row too.
  useLayoutEffect(() => {
    const active = list.current?.querySelector<HTMLElement>('[data-state="active"]');
    if (list.current === null || active === null || active === undefined) return;
    list.current.scrollLeft = active.offsetLeft - (list.current.clientWidth - active.offsetWidth) / 2;
  }, [value]);
  return (
    <Stack as={Radix.Root} grow value={value} onValueChange={change}>
      <Radix.List ref={list} className={styles.list} aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.value} value={tab.value} className={styles.tab}>
            {tab.text}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Box as={Radix.Content} key={tab.value} value={tab.value} grow scroll className={styles.panel}>
          {tab.content}
        </Box>
      ))}
    </Stack>
  );
}
