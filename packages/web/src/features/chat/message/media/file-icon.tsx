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
import { fileGroup } from "./file-name.ts";
import styles from "./media.module.css";

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
