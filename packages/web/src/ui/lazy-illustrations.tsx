/** Drawings like those of `illustrations.tsx`, of screens that are loaded when they are needed. */
import styles from "./empty-state.module.css";

const accent = styles.accent;

export function FriendsIllustration() {
  return (
    <>
      <circle cx="39" cy="33" r="13" />
      <path d="M14 76c2-15 12-23 25-23s23 8 25 23z" />
      <path className={accent} d="M72 40v20M62 50h20" />
    </>
  );
}

export function GroupsIllustration() {
  return (
    <>
      <circle cx="48" cy="36" r="11" />
      <path d="M28 74c1-14 9-21 20-21s19 7 20 21z" />
      <circle cx="21" cy="34" r="8" />
      <path d="M20 48C12 49 7 56 7 66h13" />
      <path className={accent} d="M68 28a8 8 0 1 1 3 14M76 48c8 1 13 8 13 18H76" />
    </>
  );
}

/** A person's card, shown while no person is selected. */
export function ProfileIllustration() {
  return (
    <>
      <path d="M12 26a6 6 0 0 1 6-6h60a6 6 0 0 1 6 6v44a6 6 0 0 1-6 6H18a6 6 0 0 1-6-6z" />
      <circle cx="34" cy="42" r="7" />
      <path d="M22 64c1-8 6-12 12-12s11 4 12 12" />
      <path className={accent} d="M56 40h18M56 50h18M56 60h10" />
    </>
  );
}

/** A greeting, for new people. */
export function WelcomeIllustration() {
  return (
    <>
      <path d="M20 18h56a6 6 0 0 1 6 6v32a6 6 0 0 1-6 6H46L32 76V62H20a6 6 0 0 1-6-6V24a6 6 0 0 1 6-6z" />
      <path d="M36 33v4M60 33v4" />
      <path className={accent} d="M36 46c3 5 7 7 12 7s9-2 12-7" />
    </>
  );
}

export function RequestsIllustration() {
  return (
    <>
      <path d="M14 28a5 5 0 0 1 5-5h58a5 5 0 0 1 5 5v40a5 5 0 0 1-5 5H19a5 5 0 0 1-5-5z" />
      <path d="m15 26 33 26 33-26" />
      <path className={accent} d="M62 62h12M54 62h1" />
    </>
  );
}

export function BrokenIllustration() {
  return (
    <>
      <path d="M14 24a6 6 0 0 1 6-6h22l-6 15 12 8-8 15H20a6 6 0 0 1-6-6z" />
      <path d="M56 18h20a6 6 0 0 1 6 6v26a6 6 0 0 1-6 6H58l6-14-13-9z" />
      <path className={accent} d="M30 74h36M40 82h16" />
    </>
  );
}
