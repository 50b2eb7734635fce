/** Marks the page while the keyboard leads (`html[data-keys]`), for parts that keep focus inside themselves and draw their own ring. */
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
