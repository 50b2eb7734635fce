/** What runs in the pages of the benchmark of calls, and what it measures there. */
import type { Page } from "playwright-core";

/** What a page of a call records. Times are milliseconds since 1970, to be compared between pages. */
interface CallWatch {
  /** When something was clicked last. */
  clickedAt: number;
  /** Resolves with when the first picture of somebody else was shown. */
  firstFrameAt: PromiseWithResolvers<number>;
  readonly connections: RTCPeerConnection[];
  /** How many descriptions of its own the page has made. */
  descriptions: number;
}

type WatchingWindow = typeof globalThis & { callWatch: CallWatch };

/** The camera of all pages. */
export const CAMERA = { width: 320, height: 240 } as const;

/** Runs before the scripts of a page: records what happens in calls, and makes its camera small. */
export function watchCalls(camera: MediaTrackConstraints): void {
  const firstFrameAt = Promise.withResolvers<number>();
  const watch: CallWatch = { clickedAt: 0, firstFrameAt, connections: [], descriptions: 0 };
  Object.assign(globalThis, { callWatch: watch });
  const now = () => performance.timeOrigin + performance.now();
  const remote = new WeakSet<MediaStreamTrack>();
  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      watch.connections.push(this);
      this.addEventListener("track", ({ track }) => void remote.add(track));
    }
    override setLocalDescription(description?: RTCLocalSessionDescriptionInit): Promise<void> {
      watch.descriptions++;
      return super.setLocalDescription(description);
    }
  };
  // An empty page has no devices.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  const open = devices?.getUserMedia.bind(devices);
  if (devices !== undefined && open !== undefined)
    devices.getUserMedia = ({ video, ...others } = {}) =>
      open({ ...others, ...(video !== undefined && video !== false && { video: camera }) });
  document.addEventListener("click", () => (watch.clickedAt = now()), true);
  // A stream is loaded before its first picture is shown; the other person's has no picture yet at that time, and the own one has.
  const watchPicture = ({ target }: Event) => {
    if (!(target instanceof HTMLVideoElement) || !(target.srcObject instanceof MediaStream)) return;
    if (target.srcObject.getVideoTracks().every((track) => remote.has(track)))
      target.requestVideoFrameCallback(() => watch.firstFrameAt.resolve(now()));
  };
  document.addEventListener("loadstart", watchPicture, true);
}

/** Forgets the picture of the call before. */
export async function resetWatch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { callWatch } = globalThis as WatchingWindow;
    callWatch.firstFrameAt = Promise.withResolvers();
    callWatch.connections.length = 0;
  });
}

/** When somebody has clicked last. */
export function clickedAt(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as WatchingWindow).callWatch.clickedAt);
}

/** Waits for the first picture of somebody else, and returns when it was shown. The page is not asked again and again, which would keep it busy. */
export function firstFrameAt(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as WatchingWindow).callWatch.firstFrameAt.promise);
}

/** How many descriptions of its own the page has made. */
export function descriptionsOf(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as WatchingWindow).callWatch.descriptions);
}

/** What arrives and leaves in a call, as the connections count it. */
export interface VideoTotals {
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** One number for each picture that somebody else sends. */
  readonly framesDecoded: readonly number[];
  readonly cameraFrames: number;
}

/** The totals of all pictures of the page's call so far. */
export function videoTotals(page: Page): Promise<VideoTotals> {
  return page.evaluate(async () => {
    const totals = {
      bytesSent: 0,
      bytesReceived: 0,
      framesDecoded: [] as number[],
      cameraFrames: 0,
    };
    for (const connection of (globalThis as WatchingWindow).callWatch.connections) {
      if (connection.connectionState !== "connected") continue;
      const report = await connection.getStats();
      report.forEach((entry: Readonly<Record<string, unknown>>) => {
        if (entry["kind"] !== "video") return;
        const numberOf = (name: string) => Number(entry[name] ?? 0);
        if (entry["type"] === "outbound-rtp") totals.bytesSent += numberOf("bytesSent");
        if (entry["type"] === "media-source") totals.cameraFrames = numberOf("frames");
        if (entry["type"] !== "inbound-rtp") return;
        totals.bytesReceived += numberOf("bytesReceived");
        totals.framesDecoded.push(numberOf("framesDecoded"));
      });
    }
    return totals;
  });
}

/** Waits for the next picture of somebody else, and returns when it was shown. */
export function nextFrameAt(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        // The picture of the other person comes before the own one.
        const video = document.querySelector<HTMLVideoElement>("[role=dialog] video");
        if (video === null) reject(new Error("there is no picture"));
        video?.requestVideoFrameCallback(() => resolve(performance.timeOrigin + performance.now()));
      }),
  );
}

/** The least that a browser needs: connects two connections of one page whose devices are open, and returns how long both first pictures took, ms. */
export function connectInPage(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true, video: true });
    const startedAt = performance.now();
    const [a, b] = [new RTCPeerConnection(), new RTCPeerConnection()] as const;
    const firstFrames = [a, b].map(
      (connection, place) =>
        new Promise<HTMLVideoElement>((resolve) => {
          connection.addEventListener("track", ({ track }) => {
            if (track.kind !== "video") return;
            const video = document.createElement("video");
            Object.assign(video, { srcObject: new MediaStream([track]), muted: true, autoplay: true });
            // Side by side over the page: a browser draws no picture that is outside of the window.
            video.style.cssText = `position: fixed; inset: 0 auto auto ${50 * place}%; inline-size: 50%; z-index: 1`;
            video.requestVideoFrameCallback(() => resolve(video));
            document.body.append(video);
          });
        }),
    );
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      from.addEventListener("icecandidate", ({ candidate }) => void to.addIceCandidate(candidate));
      for (const track of stream.getTracks()) from.addTrack(track, stream);
    }
    await a.setLocalDescription();
    await b.setRemoteDescription(a.localDescription ?? { type: "rollback" });
    await b.setLocalDescription();
    await a.setRemoteDescription(b.localDescription ?? { type: "rollback" });
    const videos = await Promise.all(firstFrames);
    const duration = performance.now() - startedAt;
    for (const connection of [a, b]) connection.close();
    // Its devices would go on working while the product is measured.
    for (const track of stream.getTracks()) track.stop();
    for (const video of videos) video.remove();
    return duration;
  });
}
