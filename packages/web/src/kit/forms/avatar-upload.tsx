import { useEffect, useRef, useState } from "react";
import type { ChangeEvent, ReactNode } from "react";
import type { ImageUpload } from "@parley/protocol/entities";
import { AVATAR_MAX_BYTES } from "@parley/protocol/limits";
import type { Failure } from "@parley/core/model/state";
import { failureText } from "../i18n/failure-text.ts";
import { useText } from "../i18n/i18n.ts";
import { lazyComponent } from "../loading/lazy-component.tsx";
import { toasts } from "../dialogs/toasts.ts";
import { useClient } from "../loading/use-client.ts";

const CropDialog = lazyComponent(() => import("./crop-dialog.tsx").then((part) => part.CropDialog));

const TYPES: readonly string[] = ["image/jpeg", "image/png", "image/webp"];
/** The file types as the message names them (spec §5). */
const TYPE_NAMES = "jpeg, png, jpg, webp";

/** Checks a picked file against the rules of an avatar (spec §5): what is wrong with it, or null. */
export function checkAvatar(file: { type: string; size: number }): "type" | "tooLarge" | null {
  if (!TYPES.includes(file.type)) return "type";
  return file.size > AVATAR_MAX_BYTES ? "tooLarge" : null;
}

interface AvatarUploadProps {
  /** Circle for people, rounded for groups. */
  shape: "circle" | "rounded";
  onUploaded: (image: ImageUpload) => void;
  /** Called when the server did not take the file. */
  onFailure?: (failure: Failure) => void;
}

/**
 * Lets the person pick a picture, choose a square part of it, and uploads that at once. A toast tells what is wrong with a file that no
 * avatar may be. The page renders `dialog`.
 */
export function useAvatarUpload({ shape, onUploaded, onFailure }: AvatarUploadProps) {
  const t = useText();
  const { session } = useClient();
  const input = useRef<HTMLInputElement>(null);
  const uploads = useRef(0);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [picked, setPicked] = useState<{ readonly file: File; readonly url: string } | null>(null);
  useEffect(() => () => URL.revokeObjectURL(picked?.url ?? ""), [picked]);

  const refuse = (text: string) => {
    setPicked(null);
    setProblem(text);
    toasts.error(text);
  };

  const pick = async (file: File) => {
    setProblem(null);
    const violation = checkAvatar(file);
    if (violation !== null) {
      const max = `${AVATAR_MAX_BYTES / 1024 / 1024} MB`;
      refuse(t(`upload.${violation}`, { types: TYPE_NAMES, max }));
      return;
    }
    const url = URL.createObjectURL(file);
    if (await isPicture(url)) {
      setPicked({ file, url });
      return;
    }
    URL.revokeObjectURL(url);
    refuse(t("error.upload.broken"));
  };

  const upload = async (avatar: File) => {
    setPicked(null);
    setBusy(true);
    const number = ++uploads.current;
    const result = await session.uploadAvatar(avatar, avatar.name);
    if (number !== uploads.current) return;
    setBusy(false);
    if (result.ok) {
      onUploaded(result.value);
    } else {
      setProblem(failureText(result.failure, t));
      onFailure?.(result.failure);
    }
  };

  const cancel = () => setPicked(null);
  const dialog: ReactNode = picked && (
    <CropDialog
      file={picked.file}
      url={picked.url}
      shape={shape}
      onCropped={(avatar: File) => void upload(avatar)}
      onFailure={() => refuse(t("error.upload.broken"))}
      onCancel={cancel}
      onMissing={cancel}
    />
  );

  return {
    isBusy,
    /** Why the last file was not uploaded. */
    problem,
    /** The dialog that chooses the part, while it is open. */
    dialog,
    pick: () => input.current?.click(),
    /** Ignores what becomes of a running upload, e.g. because another server is used from now on. */
    forget() {
      uploads.current++;
      setBusy(false);
    },
    /** For a file input, which the page hides. */
    inputProps: {
      ref: input,
      type: "file",
      accept: TYPES.join(","),
      onChange: (event: ChangeEvent<HTMLInputElement>) => {
        const file = event.currentTarget.files?.[0];
        // Reset the input so that the same file can be picked again.
        event.currentTarget.value = "";
        if (file !== undefined) void pick(file);
      },
    },
  } as const;
}

/** What a page does with the upload of an avatar. */
export type AvatarUpload = ReturnType<typeof useAvatarUpload>;

/** Whether the browser can show the file at this url as a picture. */
async function isPicture(url: string): Promise<boolean> {
  try {
    await Object.assign(new Image(), { src: url }).decode();
    return true;
  } catch {
    return false;
  }
}
