/** Line drawings on a 96 px grid for empty states; strokes with the accent class are coloured. */
import styles from "./empty-state.module.css";

const accent = styles.accent;

export function ChatsIllustration() {
  return (
    <>
      <path d="M20 18h42a6 6 0 0 1 6 6v25a6 6 0 0 1-6 6H44L32 66V55H20a6 6 0 0 1-6-6V24a6 6 0 0 1 6-6z" />
      <path d="M76 36h1a5 5 0 0 1 5 5v26a5 5 0 0 1-5 5h-4v9l-10-9H51a5 5 0 0 1-5-4" />
      <path className={accent} d="M27 32h28M27 41h17" />
    </>
  );
}

export function SearchIllustration() {
  return (
    <>
      <circle cx="42" cy="42" r="23" />
      <path d="m59 59 20 20" />
      <path className={accent} d="M32 38h20M32 47h12" />
    </>
  );
}
