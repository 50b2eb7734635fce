import { useRef, useState } from "react";
import type { ChangeEvent } from "react";
import type { ImageUpload } from "@parley/protocol/entities";
import { AVATAR_MAX_BYTES } from "@parley/protocol/limits";
import type { Failure } from "@parley/core/model/state";
import { failureText } from "./failure-text.ts";
import { useText } from "./i18n.ts";
import { toasts } from "./toasts.ts";
import { useClient } from "./use-client.ts";

const TYPES: readonly string[] = ["image/jpeg", "image/png", "image/webp"];
/** The file types as the message names them (spec §5). */
const TYPE_NAMES = "jpeg, png, jpg, webp";

/** Checks a picked file against the rules of an avatar (spec §5): what is wrong with it, or null. */
export function checkAvatar(file: { type: string; size: number }): "type" | "tooLarge" | null {
  if (!TYPES.includes(file.type)) return "type";
  return file.size > AVATAR_MAX_BYTES ? "tooLarge" : null;
}

interface AvatarUploadProps {
  onUploaded: (image: ImageUpload) => void;
  /** Called when the server did not take the file. */
  onFailure?: (failure: Failure) => void;
}

/** Lets the person pick a picture and uploads it at once. A toast tells what is wrong with a file that no avatar may be. */
export function useAvatarUpload({ onUploaded, onFailure }: AvatarUploadProps) {
  const t = useText();
  const { session } = useClient();
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const upload = async (file: File) => {
    const violation = checkAvatar(file);
    const text =
      violation &&
      t(`upload.${violation}`, { types: TYPE_NAMES, max: `${AVATAR_MAX_BYTES / 1024 / 1024} MB` });
    setProblem(text);
    if (text !== null) {
      toasts.error(text);
      return;
    }
    setBusy(true);
    const result = await session.uploadAvatar(file, file.name);
    setBusy(false);
    if (result.ok) {
      onUploaded(result.value);
    } else {
      setProblem(failureText(result.failure, t));
      onFailure?.(result.failure);
    }
  };

  return {
    isBusy,
    /** Why the last file was not uploaded. */
    problem,
    pick: () => input.current?.click(),
    /** For a file input, which the page hides. */
    inputProps: {
      ref: input,
      type: "file",
      accept: TYPES.join(","),
      onChange: (event: ChangeEvent<HTMLInputElement>) => {
        const file = event.currentTarget.files?.[0];
        // Reset the input so that the same file can be picked again.
        event.currentTarget.value = "";
        if (file !== undefined) void upload(file);
      },
    },
  } as const;
}
