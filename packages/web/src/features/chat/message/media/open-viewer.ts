import { create } from "zustand";
import type { ChatKey } from "@parley/core/model/state";
import type { MediaPages } from "./media-pages.ts";

/** A viewer over the pictures and videos of a chat. */
export interface OpenViewer {
  readonly chatKey: ChatKey;
  /** The message whose picture is shown first. */
  readonly messageKey: string;
  /** The pictures and videos of the chat that are loaded already. */
  readonly pages?: MediaPages;
}

const useStore = create<{ readonly viewer: OpenViewer | null }>(() => ({ viewer: null }));

/** Opens the viewer. The conversation of the chat must be on the screen: it shows the viewer. */
export function openViewer(viewer: OpenViewer): void {
  useStore.setState({ viewer });
}

/** Closes the viewer. */
export function closeViewer(): void {
  useStore.setState({ viewer: null });
}

/** The open viewer of a chat; null if none is open. */
export function useOpenViewer(chatKey: ChatKey): OpenViewer | null {
  return useStore(({ viewer }) => (viewer?.chatKey === chatKey ? viewer : null));
}
