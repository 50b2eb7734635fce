import { lazyComponent } from "../kit/lazy-component.tsx";
import { closePicture, useOpenPicture } from "../kit/open-picture.ts";

const PictureViewer = lazyComponent(() =>
  import("../features/chat/viewer/viewer-chunk.ts").then((part) => part.PictureViewer),
);

/** Shows the picture that a feature opened. It is above the dialogs, so that a card stays open below it. */
export function PictureHost() {
  const picture = useOpenPicture();
  if (picture === null) return null;
  return <PictureViewer picture={picture} onClose={closePicture} onMissing={closePicture} />;
}
