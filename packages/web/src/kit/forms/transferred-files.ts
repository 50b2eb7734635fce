/** The files of a paste or a drop. */
export interface TransferredFiles {
  readonly files: readonly File[];
  readonly hasFolder: boolean;
}

/** Reads the files of a paste or a drop, in their order. Call it during the event: afterwards the data are gone. */
export function filesOf(data: DataTransfer): TransferredFiles {
  const files: File[] = [];
  let hasFolder = false;
  for (const item of data.items) {
    if (item.kind !== "file") continue;
    if (item.webkitGetAsEntry()?.isDirectory === true) {
      hasFolder = true;
      continue;
    }
    const file = item.getAsFile();
    if (file !== null) files.push(file);
  }
  return { files, hasFolder };
}

/**
 * Whether a paste is its files and not its text. Spreadsheets offer a picture of the cells beside their text: then the text is meant.
 * File managers offer the names of the files as text: then the files are.
 */
export function isPasteOfFiles(names: readonly string[], text: string): boolean {
  if (names.length === 0) return false;
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== "");
  return lines.every((line) => names.some((name) => decoded(line.trim()).endsWith(name)));
}

/** A line that may be the address of a file (`file:///a%20b`). */
function decoded(line: string): string {
  try {
    return line.startsWith("file:") ? decodeURIComponent(line) : line;
  } catch {
    return line;
  }
}

/** Whether a drag brings files. A drag of text does not. */
export function hasFiles(data: DataTransfer | null): boolean {
  return data?.types.includes("Files") ?? false;
}

/** How many elements a drag is over: it enters the next one before it leaves the last, so it has left the page only at 0. */
export function dragDepth(depth: number, event: "enter" | "leave" | "end"): number {
  if (event === "end") return 0;
  return event === "enter" ? depth + 1 : Math.max(0, depth - 1);
}
