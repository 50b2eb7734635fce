import {
  File,
  FileArchive,
  FileCode,
  FileImage,
  FileMusic,
  FilePlay,
  FileSpreadsheet,
  FileText,
} from "lucide-react";
import { ICON_PROPS } from "../../../../ui/icon-props.ts";
import styles from "./file-name.module.css";

const ICONS = {
  archive: FileArchive,
  audio: FileMusic,
  code: FileCode,
  document: FileText,
  other: File,
  picture: FileImage,
  sheet: FileSpreadsheet,
  video: FilePlay,
} as const;

/** A coloured tile with the icon of a file's kind. */
export function FileIcon({ name }: { name: string }) {
  const group = fileGroup(name);
  const Icon = ICONS[group];
  return (
    <span className={styles.tile} data-group={group}>
      <Icon {...ICON_PROPS} />
    </span>
  );
}

/** A file name in one line. If it is too long its middle is left out, and the extension stays. */
export function FileNameText({ name }: { name: string }) {
  const [head, tail] = splitFileName(name);
  return (
    <span className={styles.fileName} dir="ltr" title={name}>
      {head !== "" && <bdi className={styles.head}>{head}</bdi>}
      <bdi className={styles.tail}>{tail}</bdi>
    </span>
  );
}

/** Characters before the extension that stay visible, so that numbered files can be told apart. */
const TAIL = 4;
/** What follows the last dot is an extension only if it is this short. */
const EXTENSION_MAX = 10;

/** The extension of a file name in lower case, without the dot; empty if it has none. */
export function extensionOf(name: string): string {
  const match = /[^.]\.([^.\s]+)$/u.exec(name);
  const extension = match?.[1] ?? "";
  return extension.length > EXTENSION_MAX ? "" : extension.toLowerCase();
}

/** A file name in two parts: the first may be cut off, the second stays: a few characters and the extension. */
export function splitFileName(name: string): readonly [head: string, tail: string] {
  const characters = [...name];
  const extension = extensionOf(name);
  const kept = TAIL + (extension === "" ? 0 : extension.length + 1);
  if (characters.length <= kept) return ["", name];
  return [characters.slice(0, -kept).join(""), characters.slice(-kept).join("")];
}

/** About how wide a file name is, in digits: Han letters and others of their width count as two. */
export function nameWidth(name: string): number {
  return [...name].reduce((width, letter) => width + (letter >= "\u1100" ? 2 : 1), 0);
}

/** Kinds of files that have an icon of their own. */
type FileGroup = "archive" | "audio" | "code" | "document" | "other" | "picture" | "sheet" | "video";

const EXTENSIONS: Readonly<Record<Exclude<FileGroup, "other">, string>> = {
  archive: "zip rar 7z tar gz tgz bz2 xz zst jar apk dmg iso",
  audio: "mp3 m4a aac wav ogg opus flac amr weba",
  code: "c cc cpp h cs css go html java js json jsx kt lua php py rb rs sh sql swift ts tsx vue xml yaml yml toml",
  document: "pdf doc docx odt rtf txt md pages ppt pptx odp key epub wps dps",
  picture: "png jpg jpeg gif webp bmp svg heic heif avif tif tiff psd",
  sheet: "xls xlsx ods csv numbers et",
  video: "mp4 m4v mov webm mkv avi wmv flv mpg mpeg 3gp",
};

const GROUPS: ReadonlyMap<string, FileGroup> = new Map(
  Object.entries(EXTENSIONS).flatMap(([group, extensions]) =>
    extensions.split(" ").map((extension) => [extension, group as FileGroup] as const),
  ),
);

/** The kind of a file by its name. */
export function fileGroup(name: string): FileGroup {
  return GROUPS.get(extensionOf(name)) ?? "other";
}
