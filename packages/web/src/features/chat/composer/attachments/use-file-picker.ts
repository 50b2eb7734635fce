import { useRef } from "react";
import type { ChangeEvent } from "react";
import type { SelectedFiles } from "./attach-files.ts";
import { PICTURE_ACCEPT } from "./file-kind.ts";

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
