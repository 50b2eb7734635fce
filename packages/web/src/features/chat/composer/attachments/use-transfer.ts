import { useEffect, useState } from "react";
import type { SelectedFiles } from "./attach-files.ts";
import { dragDepth, filesOf, hasFiles, isPasteOfFiles } from "./transferred-files.ts";

/** Where dropped files are sent as what they are, or all as files. */
export type DropZone = "picture" | "file";

/** The overlay of a drag goes if nothing is heard of the drag for this time: some browsers do not tell when it ends elsewhere. */
const SILENCE_MS = 1_500;

/**
 * Files that are pasted, or dragged over the page. Returns the zone under the drag: `none` outside both; null while no files are dragged.
 * Drags that begin in the page, and pastes into other fields and dialogs, are left to the browser.
 */
export function useTransfer(attach: (chosen: SelectedFiles) => void): DropZone | "none" | null {
  const [zone, setZone] = useState<DropZone | "none" | null>(null);

  useEffect(() => {
    let depth = 0;
    let isFromPage = false;
    let silence = 0;
    const end = () => {
      depth = dragDepth(depth, "end");
      isFromPage = false;
      window.clearTimeout(silence);
      setZone(null);
    };
    const isForeign = (event: DragEvent) => !isFromPage && hasFiles(event.dataTransfer) && !isDialogOpen();

    const listeners = {
      dragstart() {
        isFromPage = true;
      },
      dragend: end,
      dragenter(event: DragEvent) {
        if (!isForeign(event)) return;
        depth = dragDepth(depth, "enter");
        setZone(zoneAt(event.target));
      },
      dragleave(event: DragEvent) {
        if (!isForeign(event)) return;
        depth = dragDepth(depth, "leave");
        if (depth === 0) end();
      },
      dragover(event: DragEvent) {
        if (!isForeign(event) || event.dataTransfer === null) return;
        event.preventDefault();
        const over = zoneAt(event.target);
        event.dataTransfer.dropEffect = over === "none" ? "none" : "copy";
        setZone(over);
        window.clearTimeout(silence);
        silence = window.setTimeout(end, SILENCE_MS);
      },
      drop(event: DragEvent) {
        const over = isForeign(event) ? zoneAt(event.target) : "none";
        if (over !== "none" && event.dataTransfer !== null) {
          event.preventDefault();
          attach({ ...filesOf(event.dataTransfer), isFile: over === "file" });
        }
        end();
      },
      paste(event: ClipboardEvent) {
        if (event.clipboardData === null || !isForComposer(event.target)) return;
        const { files, hasFolder } = filesOf(event.clipboardData);
        const names = files.map(({ name }) => name);
        const isFiles = isPasteOfFiles(names, event.clipboardData.getData("text/plain"));
        if (!isFiles && !hasFolder) return;
        event.preventDefault();
        event.stopPropagation();
        attach({ files, hasFolder, isFile: false });
      },
    };
    // Before the field's own handlers: a paste that is files writes no text.
    for (const [type, listener] of Object.entries(listeners)) {
      document.addEventListener(type, listener as EventListener, true);
    }
    return () => {
      for (const [type, listener] of Object.entries(listeners)) {
        document.removeEventListener(type, listener as EventListener, true);
      }
      window.clearTimeout(silence);
    };
  }, [attach]);

  return zone;
}

function isDialogOpen(): boolean {
  return document.querySelector('[role$="dialog"][aria-modal], [role$="dialog"][data-state="open"]') !== null;
}

/** The zone of an element. Until the overlay is there, the whole conversation is the one for pictures. */
function zoneAt(target: EventTarget | null): DropZone | "none" {
  const element = target instanceof Element ? target : null;
  const zone = element?.closest<HTMLElement>("[data-drop-zone]")?.dataset["dropZone"];
  return zone === "picture" || zone === "file" ? zone : "none";
}

/** Whether a paste belongs to the composer: into its field, or with no field at all. */
function isForComposer(target: EventTarget | null): boolean {
  const element = target instanceof Element ? target : null;
  if (isDialogOpen()) return false;
  const field = element?.closest('input, textarea, [contenteditable="true"]') ?? null;
  return field === null || field.matches("[data-composer]");
}
