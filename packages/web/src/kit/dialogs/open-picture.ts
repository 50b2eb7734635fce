import { create } from "zustand";

/** A picture to look at over the whole page. */
export interface OpenPicture {
  /** Absolute. */
  readonly url: string;
  /** Shown until the picture is loaded. */
  readonly thumbUrl: string | null;
  /** The name of the person or thing in the picture, and of the downloaded file. */
  readonly name: string;
}

const useStore = create<{ readonly picture: OpenPicture | null }>(() => ({ picture: null }));

/** Opens a picture over everything that is on the page, such as the avatar on a card. */
export function openPicture(url: string, name: string, thumbUrl: string | null = null): void {
  useStore.setState({ picture: { url, name, thumbUrl } });
}

/** Closes the open picture. */
export function closePicture(): void {
  useStore.setState({ picture: null });
}

/** The picture to show, for the component that shows it. */
export function useOpenPicture(): OpenPicture | null {
  return useStore(({ picture }) => picture);
}
