import sharp from "sharp";

/** A picture of these sides in px that changes from red to blue and back every 200 ms, without end. */
export function animatedPicture(format: "gif" | "webp", width: number, height: number): Promise<Buffer> {
  const frame = (red: number, blue: number) => Buffer.alloc(width * height * 3, Buffer.from([red, 0, blue]));
  const frames = Buffer.concat([frame(255, 0), frame(0, 255)]);
  const raw = { width, height: height * 2, channels: 3, pageHeight: height } as const;
  const options = { delay: [200, 200], loop: 0 };
  const picture = sharp(frames, { raw });
  return (format === "gif" ? picture.gif(options) : picture.webp({ ...options, lossless: true })).toBuffer();
}

/** A PNG of one colour and of these sides in px, which may be large. */
export function plainPicture(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: "teal" } })
    .png()
    .toBuffer();
}
