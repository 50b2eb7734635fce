import { create } from "zustand";

const useText = create<string>(() => "");

/** Says a sentence to screen readers. It changes also if the same one is said again. */
export function announce(text: string): void {
  useText.setState((said) => (said === text ? `${text}\u00a0` : text), true);
}

/** The live region for what happens without a text on the screen where the focus is. It exists before the first sentence. */
export function Announcement() {
  return (
    <span className="visually-hidden" role="status">
      {useText()}
    </span>
  );
}
