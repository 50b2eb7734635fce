/** Drawings as in `drawings.tsx`, of screens that come later than the chats: the first one carries none of them. */
import styles from "./empty-state.module.css";

const accent = styles.accent;

export function FriendsDrawing() {
  return (
    <>
      <circle cx="39" cy="33" r="13" />
      <path d="M14 76c2-15 12-23 25-23s23 8 25 23z" />
      <path className={accent} d="M72 40v20M62 50h20" />
    </>
  );
}

export function RequestsDrawing() {
  return (
    <>
      <path d="M14 28a5 5 0 0 1 5-5h58a5 5 0 0 1 5 5v40a5 5 0 0 1-5 5H19a5 5 0 0 1-5-5z" />
      <path d="m15 26 33 26 33-26" />
      <path className={accent} d="M62 62h12M54 62h1" />
    </>
  );
}

export function BrokenDrawing() {
  return (
    <>
      <path d="M14 24a6 6 0 0 1 6-6h22l-6 15 12 8-8 15H20a6 6 0 0 1-6-6z" />
      <path d="M56 18h20a6 6 0 0 1 6 6v26a6 6 0 0 1-6 6H58l6-14-13-9z" />
      <path className={accent} d="M30 74h36M40 82h16" />
    </>
  );
}
