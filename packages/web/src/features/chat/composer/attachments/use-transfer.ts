import { useEffect } from "react";
import { isDialogOpen } from "../../../../kit/is-dialog-open.ts";
import { filesOf, isPasteOfFiles } from "../../../../kit/transferred-files.ts";
import { useFileDrag } from "../../../../kit/use-file-drag.ts";
import { isForComposer } from "../is-for-composer.ts";
import type { SelectedFiles } from "./attach-files.ts";

/** Where dropped files are sent as what they are, or all as files. */
export type DropZone = "picture" | "file";

/**
 * Files that are pasted, or dragged over the page. Returns the zone under the drag: `none` outside both; null while no files are dragged.
 * Pastes into other fields, and all that happens while a dialog is open, are left to the browser.
 */
export function useTransfer(attach: (chosen: SelectedFiles) => void): DropZone | "none" | null {
  useEffect(() => {
    const handlePaste = (event: ClipboardEvent) => {
      if (event.clipboardData === null || !isForComposer(event.target)) return;
      const { files, hasFolder } = filesOf(event.clipboardData);
      const names = files.map(({ name }) => name);
      const isFiles = isPasteOfFiles(names, event.clipboardData.getData("text/plain"));
      if (!isFiles && !hasFolder) return;
      event.preventDefault();
      event.stopPropagation();
      attach({ files, hasFolder, isFile: false });
    };
    // Before the field's own handlers: a paste that is files writes no text.
    document.addEventListener("paste", handlePaste, true);
    return () => document.removeEventListener("paste", handlePaste, true);
  }, [attach]);

  return useFileDrag({
    isOff: isDialogOpen,
    zoneAt,
    drop: (dropped, zone) => attach({ ...dropped, isFile: zone === "file" }),
  });
}

/** The zone of an element. Until the overlay is there, the whole conversation is the one for pictures. */
function zoneAt(target: Element | null): DropZone | "none" {
  const zone = target?.closest<HTMLElement>("[data-drop-zone]")?.dataset["dropZone"];
  return zone === "picture" || zone === "file" ? zone : "none";
}
