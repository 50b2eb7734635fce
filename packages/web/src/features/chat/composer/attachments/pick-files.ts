import { useCallback, useEffect, useRef } from "react";
import type { ChangeEvent } from "react";
import { create } from "zustand";
import type { ChatKey } from "@parley/core/model/state";
import { currentText } from "../../../../kit/i18n/i18n.ts";
import { isDialogOpen } from "../../../../kit/dialogs/open-dialog.ts";
import { loadChunk } from "../../../../kit/loading/load-chunk.ts";
import { toasts } from "../../../../kit/dialogs/toasts.ts";
import { filesOf, isPasteOfFiles } from "../../../../kit/forms/transferred-files.ts";
import { useClient } from "../../../../kit/loading/use-client.ts";
import { useFileDrag } from "../../../../kit/forms/use-file-drag.ts";
import { isForComposer } from "../composer-keys.ts";
import type { SelectedFiles } from "./attach-files.ts";
import { PICTURE_ACCEPT } from "./file-kind.ts";

const load = () => import("./attach-files.ts");

/** Returns a function that adds chosen files to the draft of a chat. What it needs is loaded when files are first chosen. */
export function useAttach(chatKey: ChatKey): (chosen: SelectedFiles) => void {
  const client = useClient();
  return useCallback(
    (chosen) => {
      loadChunk(load).then(
        ({ attachFiles }) => attachFiles(client, chatKey, chosen),
        () => toasts.long(currentText()("app.chunkFailed")),
      );
    },
    [client, chatKey],
  );
}

/** What the person wants to choose: pictures and videos, any files, or a new photo. */
type Source = "picture" | "file" | "camera";

/** Opens the browser's dialog for files. */
export function useFilePicker(onChosen: (chosen: SelectedFiles) => void) {
  const input = useRef<HTMLInputElement>(null);
  const isFile = useRef(false);
  return {
    pick(source: Source) {
      if (input.current === null) return;
      isFile.current = source === "file";
      input.current.accept = { picture: PICTURE_ACCEPT, camera: "image/*", file: "" }[source];
      input.current.toggleAttribute("capture", source === "camera");
      input.current.multiple = source !== "camera";
      input.current.click();
    },
    /** For a file input of the caller. */
    inputProps: {
      ref: input,
      type: "file",
      hidden: true,
      onChange(event: ChangeEvent<HTMLInputElement>) {
        const files = [...(event.currentTarget.files ?? [])];
        // Reset the input so that the same file can be picked again.
        event.currentTarget.value = "";
        if (files.length > 0) onChosen({ files, hasFolder: false, isFile: isFile.current });
      },
    },
  } as const;
}

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

const useCounts = create<Readonly<Record<ChatKey, number>>>(() => ({}));

/** How many chosen files of a chat are still being read. */
export function useBeingRead(chatKey: ChatKey): number {
  return useCounts((counts) => counts[chatKey] ?? 0);
}

/** The same, at this moment. */
export function beingReadNow(chatKey: ChatKey): number {
  return useCounts.getState()[chatKey] ?? 0;
}

/** Counts files whose reading begins, or ends with a negative number. */
export function countBeingRead(chatKey: ChatKey, change: number): void {
  useCounts.setState((counts) => ({ ...counts, [chatKey]: beingReadNow(chatKey) + change }));
}
