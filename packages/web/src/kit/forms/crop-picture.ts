import { outputName, outputType, planDrawing, type Area } from "./crop-math.ts";

const QUALITY = 0.92;

/**
 * Draws the chosen part of a picture as a square avatar. The result is a still picture, upright as it was shown. `url` is that of the file.
 * Rejects if the browser cannot read or write the picture.
 */
export async function cropPicture(file: File, url: string, degrees: number, area: Area): Promise<File> {
  // An element has the orientation that the camera noted already applied, as the dialog showed it.
  const picture = Object.assign(new Image(), { src: url });
  await picture.decode();
  const size = { width: picture.naturalWidth, height: picture.naturalHeight };
  const plan = planDrawing(size, degrees, area);
  const canvas = document.createElement("canvas");
  canvas.width = plan.side;
  canvas.height = plan.side;
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("the browser gives no canvas");
  context.imageSmoothingQuality = "high";
  context.translate(plan.middleX, plan.middleY);
  context.rotate(plan.radians);
  context.scale(plan.scale, plan.scale);
  context.drawImage(picture, -size.width / 2, -size.height / 2);
  const blob = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, outputType(file.type), QUALITY),
  );
  if (blob === null) throw new Error("the browser could not encode the picture");
  // A browser that cannot write WebP writes PNG.
  return new File([blob], outputName(file.name, blob.type), { type: blob.type });
}
