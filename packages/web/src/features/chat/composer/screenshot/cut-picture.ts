import { type Area, isWhole, type Size } from "./selection.ts";

/** A part of a picture as a PNG file of the same pixels. Rejects if the browser cannot read or write the picture. */
export async function cutPicture(picture: Blob, area: Area, size: Size): Promise<File> {
  const part = isWhole(area, size) ? picture : await drawPart(picture, area);
  return new File([part], "screenshot.png", { type: "image/png" });
}

async function drawPart(picture: Blob, { x, y, width, height }: Area): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("the browser gives no canvas");
  const bitmap = await createImageBitmap(picture, x, y, width, height);
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return canvas.convertToBlob({ type: "image/png" });
}
