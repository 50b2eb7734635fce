import { loadRestOfTexts } from "../i18n/i18n.ts";
import { loadChunk } from "./load-chunk.ts";

/** Loads a part of the program that the first screens do not have, and the texts that it may name. `load` must name the file. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  const [part] = await Promise.all([loadChunk(load), loadChunk(loadRestOfTexts)]);
  return part;
}
