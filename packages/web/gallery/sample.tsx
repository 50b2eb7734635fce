import { useState } from "react";
import type { ReactNode } from "react";
import { Button } from "../src/ui/button.tsx";
import styles from "./gallery.module.css";

interface SampleProps {
  /** The name of the variant. */
  name: string;
  /** As wide as the page. Otherwise samples stand side by side. */
  isWide?: boolean;
  /** px, for parts that fill their parent. */
  height?: number;
  children: ReactNode;
}

/** A part in one state, below the name of the state. */
export function Sample({ name, isWide = false, height, children }: SampleProps) {
  return (
    <div className={isWide ? styles.wideSample : styles.sample}>
      <div className={styles.name}>{name}</div>
      <div className={styles.box} style={{ blockSize: height }}>
        {children}
      </div>
    </div>
  );
}

/** Samples side by side. */
export function Samples({ children }: { children: ReactNode }) {
  return <div className={styles.samples}>{children}</div>;
}

/** A button that shows a part which covers others. The browser test presses every button with `data-opener`. */
export function Opener({ name, children }: { name: string; children: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button data-opener={name} onClick={() => setOpen(true)}>
        {name}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
