import { create } from "zustand";
import { currentText } from "../../kit/i18n.ts";
import { toasts } from "../../kit/toasts.ts";

interface PictureInPicture {
  /** `opening`: the person wants it, and the browser has not shown it yet. */
  readonly state: "off" | "opening" | "on";
}

/** The window of the browser, above those of other programs, that shows the picture of a call. */
export const usePictureInPicture = create<PictureInPicture>(() => ({ state: "off" }));

/** Whether this browser has such a window. */
export function hasPictureInPicture(): boolean {
  // Firefox has neither of the two.
  const { pictureInPictureEnabled } = document as Partial<Document>;
  return pictureInPictureEnabled === true;
}

/** Shows the picture in that window, or ends that. `PictureInPictureVideo` has the picture. */
export function togglePictureInPicture(): void {
  usePictureInPicture.setState(({ state }) => ({ state: state === "off" ? "opening" : "off" }));
}

/** Closes that window. */
export function endPictureInPicture(): void {
  usePictureInPicture.setState({ state: "off" });
}

/** Keeps the window and the state in step: the person can close it as well. Returns a function that stops, and closes it. */
export function watchPictureInPicture(video: HTMLVideoElement): () => void {
  const set = (state: PictureInPicture["state"]) => usePictureInPicture.setState({ state });
  const entered = () => set("on");
  const left = () => set("off");
  const isOpening = () => usePictureInPicture.getState().state === "opening";
  const refused = (error: unknown) => {
    // The person has given it up, or the picture has ended.
    if (!isOpening()) return;
    left();
    toasts.long(currentText()("call.pictureInPictureRefused"));
    reportError(new Error(`the browser refused picture in picture: ${String(error)}`, { cause: error }));
  };
  // Before it knows the size of the picture, the browser refuses.
  const open = () => {
    if (isOpening()) video.requestPictureInPicture().catch(refused);
  };
  video.addEventListener("enterpictureinpicture", entered);
  video.addEventListener("leavepictureinpicture", left);
  video.addEventListener("loadedmetadata", open);
  const stopFollowing = usePictureInPicture.subscribe(({ state }) => {
    if (state === "off") leave(video);
  });
  return () => {
    stopFollowing();
    video.removeEventListener("enterpictureinpicture", entered);
    video.removeEventListener("leavepictureinpicture", left);
    video.removeEventListener("loadedmetadata", open);
    leave(video);
    left();
  };
}

function leave(video: HTMLVideoElement): void {
  // Rejects only if the person has closed it in the same moment.
  if (document.pictureInPictureElement === video) document.exitPictureInPicture().catch(() => undefined);
}
