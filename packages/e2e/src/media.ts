import type { Page } from "@playwright/test";
import { MessageType } from "@parley/protocol/codes";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import type { Account } from "./api.ts";
import { createPng } from "./png.ts";

const SAMPLES_PER_SECOND = 8_000;

/** A WAV file with a tone of 440 Hz. */
export function createWav(seconds: number): Buffer {
  const samples = Math.round(seconds * SAMPLES_PER_SECOND);
  const wav = Buffer.alloc(44 + samples * 2);
  wav.write("RIFF", 0, "latin1");
  wav.writeUInt32LE(36 + samples * 2, 4);
  wav.write("WAVEfmt ", 8, "latin1");
  wav.writeUInt32LE(16, 16);
  // PCM, one channel.
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(SAMPLES_PER_SECOND, 24);
  wav.writeUInt32LE(SAMPLES_PER_SECOND * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write("data", 36, "latin1");
  wav.writeUInt32LE(samples * 2, 40);
  for (let i = 0; i < samples; i++) {
    wav.writeInt16LE(Math.round(12_000 * Math.sin((2 * Math.PI * 440 * i) / SAMPLES_PER_SECOND)), 44 + i * 2);
  }
  return wav;
}

/** Records a video of a canvas whose colour changes, and returns it as WebM. */
export async function recordVideo(page: Page, ms: number): Promise<Buffer> {
  const base64 = await page.evaluate(async (duration) => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [320, 180];
    const context = canvas.getContext("2d");
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: "video/webm;codecs=vp8" });
    const parts: Blob[] = [];
    recorder.ondataavailable = (event) => parts.push(event.data);
    const stopped = new Promise((resolve) => {
      recorder.onstop = resolve;
    });
    const timer = setInterval(() => {
      if (context === null) return;
      context.fillStyle = `hsl(${(performance.now() / 5) % 360} 70% 50%)`;
      context.fillRect(0, 0, canvas.width, canvas.height);
    }, 40);
    recorder.start();
    await new Promise((resolve) => setTimeout(resolve, duration));
    recorder.stop();
    await stopped;
    clearInterval(timer);
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  }, ms);
  return Buffer.from(base64, "base64");
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
