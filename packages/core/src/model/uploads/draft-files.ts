import type { DraftFile } from "../state.ts";

/** How many files a draft can have. */
export const DRAFT_FILES_MAX = 20;

/** The files of a draft with these behind them; those that are too many are left out. */
export function withDraftFiles(
  files: readonly DraftFile[],
  added: readonly DraftFile[],
): readonly DraftFile[] {
  return [...files, ...added].slice(0, DRAFT_FILES_MAX);
}

/** The files of a draft without one. */
export function withoutDraftFile(files: readonly DraftFile[], id: string): readonly DraftFile[] {
  return files.some((file) => file.id === id) ? files.filter((file) => file.id !== id) : files;
}

/** The files of a draft with one at another place, counted without it; places outside are the first and the last. */
export function withMovedDraftFile(
  files: readonly DraftFile[],
  id: string,
  index: number,
): readonly DraftFile[] {
  const file = files.find((candidate) => candidate.id === id);
  if (file === undefined) return files;
  const rest = withoutDraftFile(files, id);
  const place = Math.min(Math.max(0, index), rest.length);
  return [...rest.slice(0, place), file, ...rest.slice(place)];
}
