import type { ReactElement, ReactNode } from "react";
import styles from "./empty-state.module.css";

export type Drawing = "chats" | "friends" | "search" | "requests" | "page" | "broken";

export interface EmptyStateProps {
  drawing: Drawing;
  /** One sentence. */
  text: string;
  /** One button, or nothing. */
  action?: ReactNode;
  children?: ReactNode;
}

/** Nothing here, and what to do about it. */
export function EmptyState({ drawing, text, action, children }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <svg className={styles.drawing} viewBox="0 0 96 96" fill="none" aria-hidden="true">
        {DRAWINGS[drawing]}
      </svg>
      <p className={styles.text}>{text}</p>
      {children}
      {action}
    </div>
  );
}

const accent = styles.accent;

/** Line drawings on 96 px; the strokes with the accent class carry the colour. */
const DRAWINGS: Record<Drawing, ReactElement> = {
  chats: (
    <>
      <path d="M20 18h42a6 6 0 0 1 6 6v25a6 6 0 0 1-6 6H44L32 66V55H20a6 6 0 0 1-6-6V24a6 6 0 0 1 6-6z" />
      <path d="M76 36h1a5 5 0 0 1 5 5v26a5 5 0 0 1-5 5h-4v9l-10-9H51a5 5 0 0 1-5-4" />
      <path className={accent} d="M27 32h28M27 41h17" />
    </>
  ),
  friends: (
    <>
      <circle cx="39" cy="33" r="13" />
      <path d="M14 76c2-15 12-23 25-23s23 8 25 23z" />
      <path className={accent} d="M72 40v20M62 50h20" />
    </>
  ),
  search: (
    <>
      <circle cx="42" cy="42" r="23" />
      <path d="m59 59 20 20" />
      <path className={accent} d="M32 38h20M32 47h12" />
    </>
  ),
  requests: (
    <>
      <path d="M14 28a5 5 0 0 1 5-5h58a5 5 0 0 1 5 5v40a5 5 0 0 1-5 5H19a5 5 0 0 1-5-5z" />
      <path d="m15 26 33 26 33-26" />
      <path className={accent} d="M62 62h12M54 62h1" />
    </>
  ),
  page: (
    <>
      <path d="M24 14h32l16 16v47a5 5 0 0 1-5 5H24a5 5 0 0 1-5-5V19a5 5 0 0 1 5-5z" />
      <path d="M56 14v16h16" />
      <path className={accent} d="M32 46h28M32 57h18" />
    </>
  ),
  broken: (
    <>
      <path d="M14 24a6 6 0 0 1 6-6h22l-6 15 12 8-8 15H20a6 6 0 0 1-6-6z" />
      <path d="M56 18h20a6 6 0 0 1 6 6v26a6 6 0 0 1-6 6H58l6-14-13-9z" />
      <path className={accent} d="M30 74h36M40 82h16" />
    </>
  ),
};
