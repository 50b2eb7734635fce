/** Files that are dropped beside a place for them would replace the page: the browser opens them. Nothing happens instead. */
export function ignoreDroppedFiles(): void {
  const ignore = (event: DragEvent) => {
    if (
      event.defaultPrevented ||
      event.dataTransfer === null ||
      !event.dataTransfer.types.includes("Files")
    ) {
      return;
    }
    // A file input takes what is dropped on it.
    if (event.target instanceof HTMLInputElement && event.target.type === "file") return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  };
  window.addEventListener("dragover", ignore);
  window.addEventListener("drop", ignore);
}
