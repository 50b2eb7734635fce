/** Sets `html[data-keys]` while the keyboard is used, for components that manage the focus inside and draw their own focus ring. */
export function watchKeyboard(): void {
  const root = document.documentElement;
  addEventListener(
    "keydown",
    (event) => {
      if (!event.altKey && !event.ctrlKey && !event.metaKey) root.dataset["keys"] = "";
    },
    { capture: true, passive: true },
  );
  addEventListener("pointerdown", () => delete root.dataset["keys"], { capture: true, passive: true });
}
