import type { Locator, Page } from "@playwright/test";

/** What arrives in a call, measured in the page by its content and not by what the connection says of itself. */

/**
 * How loud each of the others is at this page, from 0 to 255: the loudest part of the spectrum within this time. With one number for each
 * of them, in no order.
 */
export function loudness(page: Page, ms: number): Promise<number[]> {
  return page.evaluate(measureLoudness, ms);
}

/** Runs in the page of a call, and needs nothing but its argument. */
export async function measureLoudness(duration: number): Promise<number[]> {
  const context = new AudioContext();
  await context.resume();
  const others = [...document.querySelectorAll("audio")].map(({ srcObject }) => {
    const analyser = context.createAnalyser();
    if (srcObject instanceof MediaStream && srcObject.getAudioTracks().length > 0)
      context.createMediaStreamSource(srcObject).connect(analyser);
    return { analyser, spectrum: new Uint8Array(analyser.frequencyBinCount), loudest: 0 };
  });
  const end = performance.now() + duration;
  while (performance.now() < end) {
    for (const other of others) {
      other.analyser.getByteFrequencyData(other.spectrum);
      other.loudest = Math.max(other.loudest, ...other.spectrum);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await context.close();
  return others.map(({ loudest }) => loudest);
}

/** Whether each of this many others is heard at this page. */
export async function hears(page: Page, others: number): Promise<boolean> {
  const loud = await loudness(page, 1_500);
  return loud.length === others && loud.every((level) => level > AUDIBLE);
}

/** The beeps of Chromium's test device are far above it, and noise is far below. */
export const AUDIBLE = 100;

/** The share of pixels of a picture that change within half a second; 0 for a picture that is black or stands still. */
export function pictureMotion(video: Locator): Promise<number> {
  return video.evaluate(measureMotion);
}

/** Runs in the page of a call, and needs nothing but its argument. */
export async function measureMotion(element: Element | null): Promise<number> {
  if (!(element instanceof HTMLVideoElement)) throw new Error("not a video");
  const canvas = new OffscreenCanvas(64, 48);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("no canvas");
  const sample = () => {
    context.drawImage(element, 0, 0, 64, 48);
    return context.getImageData(0, 0, 64, 48).data;
  };
  const before = sample();
  await new Promise((resolve) => setTimeout(resolve, 500));
  const after = sample();
  let changed = 0;
  for (let index = 0; index < before.length; index += 4) {
    const difference = Math.abs((before[index] ?? 0) - (after[index] ?? 0));
    if (difference > 12) changed++;
  }
  return changed / (before.length / 4);
}

/** Capture tracks of the page that are in use, and connections that are open. */
export interface OpenMedia {
  readonly tracks: number;
  readonly connections: number;
}

/** Counts what the page opens from now on; must run before the page is loaded. */
export async function countMedia(page: Page): Promise<() => Promise<OpenMedia>> {
  await page.addInitScript(() => {
    const tracks = new Set<MediaStreamTrack>();
    const connections = new Set<RTCPeerConnection>();
    Object.assign(globalThis, { openMedia: { tracks, connections } });
    const devices = navigator.mediaDevices;
    for (const name of ["getUserMedia", "getDisplayMedia"] as const) {
      const open = devices[name].bind(devices);
      devices[name] = async (constraints?: MediaStreamConstraints) => {
        const stream = await open(constraints);
        for (const track of stream.getTracks()) tracks.add(track);
        return stream;
      };
    }
    const Original = RTCPeerConnection;
    globalThis.RTCPeerConnection = class extends Original {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        connections.add(this);
      }
    };
  });
  return () =>
    page.evaluate(() => {
      const { tracks, connections } = (
        globalThis as unknown as {
          openMedia: { tracks: Set<MediaStreamTrack>; connections: Set<RTCPeerConnection> };
        }
      ).openMedia;
      return {
        tracks: [...tracks].filter(({ readyState }) => readyState === "live").length,
        connections: [...connections].filter(({ signalingState }) => signalingState !== "closed").length,
      };
    });
}
