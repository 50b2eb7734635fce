import type { Page } from "@playwright/test";
import { MessageType } from "@parley/protocol/codes";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import type { Account } from "./api.ts";
import { createPng } from "./png.ts";

/** How long a drawing of a recorded video is shown, ms. */
const DRAWING_MS = 40;

/**
 * Records a video of a canvas and returns it as WebM: these colours, each until its time in ms, or changing ones. The times are counted in
 * drawings, so that a machine that stands still for a moment makes a colour longer and skips none.
 */
export async function recordVideo(
  page: Page,
  ms: number,
  colours: readonly (readonly [colour: string, untilMs: number])[] = [],
): Promise<Buffer> {
  const base64 = await page.evaluate(
    async ([duration, scenes, drawingMs]) => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [320, 180];
      const context = canvas.getContext("2d");
      const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: "video/webm;codecs=vp8" });
      const parts: Blob[] = [];
      recorder.ondataavailable = (event) => parts.push(event.data);
      const stopped = new Promise((resolve) => {
        recorder.onstop = resolve;
      });
      let now = 0;
      const draw = () => {
        if (context === null) return;
        const scene = scenes.find(([, untilMs]) => now < untilMs);
        context.fillStyle = scene?.[0] ?? `hsl(${(now / 5) % 360} 70% 50%)`;
        context.fillRect(0, 0, canvas.width, canvas.height);
      };
      draw();
      recorder.start();
      while (now < duration) {
        await new Promise((resolve) => setTimeout(resolve, drawingMs));
        now += drawingMs;
        draw();
      }
      recorder.stop();
      await stopped;
      const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    },
    [ms, colours, DRAWING_MS] as const,
  );
  return Buffer.from(base64, "base64");
}

/** From now on no sound and no video of this page ends by itself, so that a test can look at what plays. */
export function loopSounds(page: Page): Promise<void> {
  return page.evaluate(() => {
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      this.loop = true;
      return play.call(this);
    };
  });
}

const fileOf = (bytes: Buffer, name: string, type: string) =>
  new File([new Uint8Array(bytes)], name, { type });

/** Sends a message with this content and returns its id. */
async function sendMedia(from: Account, to: Account, type: MessageType, content: object): Promise<number> {
  const body = { recvId: to.id, type, content: JSON.stringify(content) };
  return (await from.call(ENDPOINTS.sendPrivateMessage, { body })).id;
}

/** Sends a picture: this one, or a square with sides of this many pixels. */
export async function sendPicture(
  from: Account,
  to: Account,
  picture: Buffer | number = 400,
): Promise<number> {
  const bytes = typeof picture === "number" ? createPng(picture) : picture;
  const file = fileOf(bytes, "picture.png", "image/png");
  return sendMedia(from, to, MessageType.IMAGE, await from.upload(ENDPOINTS.uploadImage, { file }));
}

/** Sends a file. */
export async function sendFile(from: Account, to: Account, name: string, bytes: Buffer): Promise<number> {
  const url = await from.upload(ENDPOINTS.uploadFile, {
    file: fileOf(bytes, name, "application/octet-stream"),
  });
  return sendMedia(from, to, MessageType.FILE, { name, size: bytes.length, url });
}

/** Sends a voice message. */
export async function sendVoice(
  from: Account,
  to: Account,
  bytes: Buffer,
  duration: number,
): Promise<number> {
  const url = await from.upload(ENDPOINTS.uploadFile, { file: fileOf(bytes, "voice.wav", "audio/wav") });
  return sendMedia(from, to, MessageType.AUDIO, { duration, url, wave: "0248acdb97531135799bdfeca8642013" });
}

/** Sends a video with a cover. */
export async function sendVideo(
  from: Account,
  to: Account,
  bytes: Buffer,
  duration: number,
): Promise<number> {
  const file = fileOf(bytes, "video.webm", "video/webm");
  const cover = fileOf(createPng(320), "cover.png", "image/png");
  const uploaded = await from.upload(ENDPOINTS.uploadVideo, { file, cover });
  return sendMedia(from, to, MessageType.VIDEO, { ...uploaded, duration });
}
