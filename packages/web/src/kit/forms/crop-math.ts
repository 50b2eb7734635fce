/** The longest side of an avatar, px: enough for the largest screen, and always below 5 MiB. */
const AVATAR_SIDE_PX = 1_024;

/** A part of a picture, px of the turned picture. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** How to draw a picture so that a square canvas shows the chosen part. */
export interface DrawPlan {
  /** px of the canvas. */
  readonly side: number;
  /** Canvas px for one of the picture. */
  readonly scale: number;
  /** Where the middle of the picture is on the canvas, px. */
  readonly middleX: number;
  readonly middleY: number;
  /** Clockwise. */
  readonly radians: number;
}

/** Size of the box around a turned picture. */
export function turnedSize(width: number, height: number, degrees: number) {
  const radians = (degrees * Math.PI) / 180;
  const [sin, cos] = [Math.abs(Math.sin(radians)), Math.abs(Math.cos(radians))];
  return { width: width * cos + height * sin, height: width * sin + height * cos };
}

/** Plans the drawing of a part of a picture that was turned by these degrees. Nothing is enlarged: a small part gives a small avatar. */
export function planDrawing(
  picture: { readonly width: number; readonly height: number },
  degrees: number,
  area: Area,
): DrawPlan {
  const part = Math.max(1, Math.min(area.width, area.height));
  const side = Math.max(1, Math.min(AVATAR_SIDE_PX, Math.round(part)));
  const scale = side / part;
  const turned = turnedSize(picture.width, picture.height, degrees);
  return {
    side,
    scale,
    middleX: (turned.width / 2 - area.x) * scale,
    middleY: (turned.height / 2 - area.y) * scale,
    radians: (degrees * Math.PI) / 180,
  };
}

/** What an avatar is stored as: like the picked file, so that transparency and sharp edges stay. */
export function outputType(pickedType: string): "image/jpeg" | "image/png" | "image/webp" {
  if (pickedType === "image/png" || pickedType === "image/webp") return pickedType;
  return "image/jpeg";
}

/** The name of the avatar: that of the picked file with the extension of its new type. */
export function outputName(pickedName: string, type: string): string {
  const base = pickedName.replace(/\.[^.]*$/, "") || "avatar";
  return `${base}.${type === "image/jpeg" ? "jpg" : type.replace(/^image\//, "")}`;
}
