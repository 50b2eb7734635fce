import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { FailureText } from "./failure-text.tsx";
import { Logo } from "./logo.tsx";
import styles from "./auth-frame.module.css";
import { Stack, Text } from "./layout.tsx";

export interface AuthFrameProps {
  title: string;
  subtitle: string;
  /** Shown at the top right of the page. */
  corner: ReactNode;
  footer: ReactNode;
  isWide?: boolean;
  children: ReactNode;
}

/** Layout of the pages before sign-in: one card in the middle. */
export function AuthFrame({ title, subtitle, corner, footer, isWide = false, children }: AuthFrameProps) {
  return (
    <div className={styles.page}>
      <header className={styles.corner}>{corner}</header>
      <main id="main" className={classNames(styles.card, isWide && styles.wide)} tabIndex={-1}>
        <Stack as="header" gap={16} className={styles.head}>
          <Logo />
          <div>
            <h1 className={styles.title}>{title}</h1>
            <Text as="p" marginTop={4} size={13} tone="tertiary" className={styles.subtitle}>
              {subtitle}
            </Text>
          </div>
        </Stack>
        {children}
      </main>
      <footer className={styles.footer}>{footer}</footer>
    </div>
  );
}

interface AuthFailureProps {
  className?: string | undefined;
  children: string;
}

/** Why the form of the page failed. */
export function AuthFailure({ className, children }: AuthFailureProps) {
  return <FailureText className={classNames(styles.failure, className)} text={children} />;
}

/** A sentence with a link to the other page before sign-in. */
export function AuthAlternative({ children }: { children: ReactNode }) {
  return (
    <Text tone="tertiary" className={styles.alternative}>
      {children}
    </Text>
  );
}
