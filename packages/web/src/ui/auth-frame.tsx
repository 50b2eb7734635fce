import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Logo } from "./logo.tsx";
import styles from "./auth-frame.module.css";

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
        <header className={styles.head}>
          <Logo />
          <div>
            <h1 className={styles.title}>{title}</h1>
            <p className={styles.subtitle}>{subtitle}</p>
          </div>
        </header>
        {children}
      </main>
      <footer className={styles.footer}>{footer}</footer>
    </div>
  );
}
