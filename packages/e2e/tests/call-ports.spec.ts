import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test as base, type Page } from "@playwright/test";
import { completeBrowser } from "../src/browsers.ts";
import { freePort } from "@parley/server/testing/local-programs";

const GALLERY = fileURLToPath(new URL("../../../tools/gallery.ts", import.meta.url));
const PORTS = fileURLToPath(new URL("../../web/src/platform/calls/browser-call-ports.ts", import.meta.url));

/** What the tests use of the ports of calls; see packages/core/src/call-ports.ts. */
interface Ports {
  readonly media: {
    support(): string;
    openMicrophone(deviceId: string | null, processing: object): Promise<Opened>;
    openCamera(deviceId: string | null): Promise<Opened>;
    openScreen(): Promise<Opened>;
    devices(): Promise<readonly { kind: string; id: string; label: string }[]>;
  };
  readonly peers: { create(handlers: object): Peer };
  readonly ringtones: { start(which: "incoming" | "outgoing"): () => void };
}

type Opened = { ok: true; track: Track } | { ok: false; problem: string };

interface Track {
  readonly deviceId: string;
  readonly stream: MediaStream;
  setEnabled(isEnabled: boolean): void;
  stop(): void;
  onEnded(listener: () => void): void;
  level(): number;
}

interface Description {
  readonly type: string;
}

interface Peer {
  readonly stream: MediaStream;
  state(): string;
  hasPendingOffer(): boolean;
  offer(options: { restart: boolean }): Promise<Description>;
  takeDescription(description: Description): Promise<Description | null>;
  addCandidate(candidate: object): Promise<boolean>;
  send(kind: "audio" | "video", track: Track | null): Promise<void>;
  limitVideo(limit: object | null): Promise<void>;
  sendWholePicture(): Promise<void>;
  stats(): Promise<Readonly<Record<string, unknown>>>;
  level(): number | null;
  close(): void;
}

/** What a page of these tests offers to them. */
interface Bench {
  readonly ports: Ports;
  /** Fails if the device was not opened. */
  track(opening: Promise<Opened>): Promise<Track>;
  /** Two connections whose candidates reach each other. */
  pair(): { a: Peer; b: Peer };
  negotiate(from: Peer, to: Peer, options?: { restart: boolean }): Promise<void>;
  until(isTrue: () => unknown): Promise<void>;
  /** Shows a stream. `moves` resolves when the picture has changed, `light` is 0 for black. */
  picture(stream: MediaStream): { height(): number; moves(): Promise<void>; light(): number };
}

type BenchWindow = Window & { readonly bench: Bench };

/** Runs in the page, before its tests. */
function installBench(ports: Ports): void {
  const until = async (isTrue: () => unknown) => {
    while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const bench: Bench = {
    ports,
    until,
    async track(opening) {
      const opened = await opening;
      if (!opened.ok) throw new Error(`not opened: ${opened.problem}`);
      return opened.track;
    },
    pair() {
      const peers: { a?: Peer; b?: Peer } = {};
      const create = (other: "a" | "b") => {
        const early: object[] = [];
        return ports.peers.create({
          async candidate(candidate: object) {
            // As in the product: a candidate that comes before the description is kept.
            early.push(candidate);
            while (early.length > 0 && (await peers[other]?.addCandidate(early[0] ?? {})) === false)
              await new Promise((resolve) => setTimeout(resolve, 50));
            early.shift();
          },
          stateChanged: () => undefined,
        });
      };
      peers.a = create("b");
      peers.b = create("a");
      return { a: peers.a, b: peers.b };
    },
    async negotiate(from, to, options = { restart: false }) {
      const answer = await to.takeDescription(await from.offer(options));
      if (answer === null) throw new Error("no answer");
      await from.takeDescription(answer);
    },
    picture(stream) {
      const video = document.createElement("video");
      video.srcObject = stream;
      document.body.append(video);
      void video.play();
      const canvas = document.createElement("canvas");
      Object.assign(canvas, { width: 64, height: 48 });
      const context = canvas.getContext("2d", { willReadFrequently: true });
      const pixels = () => {
        context?.drawImage(video, 0, 0, 64, 48);
        return context?.getImageData(0, 0, 64, 48).data ?? new Uint8ClampedArray();
      };
      return {
        height: () => video.videoHeight,
        light: () => pixels().reduce((sum, value, index) => (index % 4 === 3 ? sum : sum + value), 0),
        async moves() {
          const before = pixels();
          await until(
            () => pixels().filter((value, at) => Math.abs(value - (before[at] ?? 0)) > 16).length > 50,
          );
        },
      };
    },
  };
  Object.assign(window, { bench });
}

const test = base.extend<{ bench: Page }, { galleryUrl: string }>({
  /** The gallery serves the sources of the web client to a page of these tests. */
  galleryUrl: [
    async ({}, use) => {
      const port = await freePort();
      const gallery: ChildProcess = spawn(process.execPath, [GALLERY, "--port", String(port)], {
        stdio: "ignore",
      });
      const url = `http://127.0.0.1:${port}`;
      try {
        await expect(async () => expect((await fetch(url)).ok).toBe(true)).toPass();
        await use(url);
      } finally {
        gallery.kill("SIGTERM");
        await once(gallery, "exit");
      }
    },
    { scope: "worker" },
  ],
  bench: async ({ page, galleryUrl }, use) => {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.route("**/bench.html", (route) =>
      route.fulfill({ contentType: "text/html", body: "<!doctype html><title>bench</title>" }),
    );
    await page.goto(`${galleryUrl}/bench.html`);
    await page.addScriptTag({
      type: "module",
      content: `import { browserCallPorts } from "/@fs${PORTS}"; window.callPorts = browserCallPorts();`,
    });
    const ports = await page.waitForFunction(() => (window as unknown as { callPorts?: Ports }).callPorts);
    await ports.evaluate(installBench as (ports: unknown) => void);
    await use(page);
    expect(errors).toEqual([]);
  },
});

const browser = completeBrowser();
test.use({
  launchOptions: {
    ...browser,
    args: [
      ...(browser.args ?? []),
      "--disable-features=WebRtcHideLocalIpsWithMdns",
      "--autoplay-policy=no-user-gesture-required",
    ],
  },
});

test("devices are listed with their names, and a device that is gone is replaced by the default one", async ({
  bench,
}) => {
  const result = await bench.evaluate(async () => {
    const { ports, track } = (window as unknown as BenchWindow).bench;
    const processing = { echoCancellation: true, noiseSuppression: true };
    const microphone = await track(ports.media.openMicrophone("gone", processing));
    const camera = await track(ports.media.openCamera("gone"));
    const devices = await ports.media.devices();
    const again = await track(
      ports.media.openCamera(devices.find(({ kind }) => kind === "camera")?.id ?? ""),
    );
    const settings = camera.stream.getTracks()[0]?.getSettings();
    const sound = microphone.stream.getTracks()[0]?.getSettings();
    for (const { stop } of [microphone, camera, again].map((one) => ({ stop: () => one.stop() }))) stop();
    return {
      support: ports.media.support(),
      kinds: [...new Set(devices.map(({ kind }) => kind))].toSorted(),
      isNamed: devices.every(({ label }) => label !== ""),
      isSame: again.deviceId === camera.deviceId,
      size: [settings?.width, settings?.height],
      processing: [sound?.echoCancellation, sound?.noiseSuppression, sound?.autoGainControl],
      states: [microphone, camera, again].map(({ stream }) => stream.getTracks()[0]?.readyState),
    };
  });
  expect(result).toEqual({
    support: "ok",
    kinds: ["camera", "microphone", "speaker"],
    isNamed: true,
    isSame: true,
    size: [1_280, 720],
    processing: [true, true, true],
    states: ["ended", "ended", "ended"],
  });
});

test("sound and picture arrive in both directions, with statistics and loudness", async ({ bench }) => {
  const result = await bench.evaluate(async () => {
    const { ports, track, pair, negotiate, until, picture } = (window as unknown as BenchWindow).bench;
    const microphone = await track(
      ports.media.openMicrophone(null, { echoCancellation: false, noiseSuppression: false }),
    );
    const camera = await track(ports.media.openCamera(null));
    const { a, b } = pair();
    for (const peer of [a, b]) {
      await peer.send("audio", microphone);
      await peer.send("video", camera);
    }
    await negotiate(a, b);
    await until(() => a.state() === "connected" && b.state() === "connected");
    const pictures = [a, b].map(({ stream }) => picture(stream));
    await until(() => pictures.every((one) => one.height() > 0));
    // The fake microphone beeps once a second.
    await until(() => microphone.level() > 0.02);
    await until(() => (a.level() ?? 0) > 0.02);
    // Of the time between two calls, in which a busy machine may have received no picture.
    let stats = await a.stats();
    while (!(Number(stats["framesPerSecond"]) > 0)) {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      stats = await a.stats();
    }
    await Promise.all(pictures.map((one) => one.moves()));
    const kinds = b.stream.getTracks().map(({ kind }) => kind);
    for (const peer of [a, b]) peer.close();
    for (const one of [microphone, camera]) one.stop();
    return { stats, kinds, states: [a.state(), b.state()] };
  });
  expect(result.kinds.toSorted()).toEqual(["audio", "video"]);
  expect(result.stats["lossRate"]).toBeLessThan(0.5);
  expect(result.stats["roundTripMs"]).toBeGreaterThanOrEqual(0);
  expect(result.stats["framesPerSecond"]).toBeGreaterThan(0);
  expect(result.states).toEqual(["failed", "failed"]);
});

test("a side that answers without devices sends a picture later, without a new offer, and takes it back", async ({
  bench,
}) => {
  const result = await bench.evaluate(async () => {
    const { ports, track, pair, negotiate, until, picture } = (window as unknown as BenchWindow).bench;
    const { a, b } = pair();
    await negotiate(a, b);
    await until(() => a.state() === "connected");
    const camera = await track(ports.media.openCamera(null));
    await b.send("video", camera);
    const shown = picture(a.stream);
    // A browser begins with a small picture if it does not know yet how much it can send.
    await until(() => shown.height() > 180);
    await until(() => shown.light() > 0);
    await b.limitVideo({ height: 180, framesPerSecond: 15, bitsPerSecond: 150_000 });
    await until(() => shown.height() <= 180);
    await b.limitVideo(null);
    await until(() => shown.height() > 180);
    camera.setEnabled(false);
    await until(() => shown.light() === 0);
    camera.stop();
    await b.send("video", null);
    const pending = [a.hasPendingOffer(), b.hasPendingOffer()];
    for (const peer of [a, b]) peer.close();
    return pending;
  });
  expect(result).toEqual([false, false]);
});

test("PC54 a whole picture is sent when it is asked for, and nothing fails without a picture", async ({
  bench,
}) => {
  const result = await bench.evaluate(async () => {
    const connections: RTCPeerConnection[] = [];
    globalThis.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        connections.push(this);
      }
    };
    const { ports, track, pair, negotiate, until } = (window as unknown as BenchWindow).bench;
    const { a, b } = pair();
    const level = a.level();
    await a.sendWholePicture();
    const camera = await track(ports.media.openCamera(null));
    await a.send("video", camera);
    await negotiate(a, b);
    await until(() => a.state() === "connected");
    const sent = async () => {
      const totals = { whole: 0, all: 0 };
      (await connections[0]?.getStats())?.forEach((entry: Readonly<Record<string, unknown>>) => {
        if (entry["type"] !== "outbound-rtp" || entry["kind"] !== "video") return;
        totals.whole = Number(entry["keyFramesEncoded"]);
        totals.all = Number(entry["framesEncoded"]);
      });
      return totals;
    };
    const reach = async (isReached: (totals: { whole: number; all: number }) => boolean) => {
      while (!isReached(await sent())) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    await reach(({ all }) => all > 10);
    const before = await sent();
    await a.sendWholePicture();
    // Within so few pictures none is whole without being asked for.
    await reach(({ all }) => all >= before.all + 5);
    const after = await sent();
    for (const peer of [a, b]) peer.close();
    await a.sendWholePicture();
    camera.stop();
    return { level, more: after.whole - before.whole };
  });
  expect(result.level).toBeNull();
  expect(result.more).toBeGreaterThan(0);
});

test("offers that meet: the side that takes the other's offer drops its own, and both are connected", async ({
  bench,
}) => {
  const result = await bench.evaluate(async () => {
    const { ports, track, pair, negotiate, until, picture } = (window as unknown as BenchWindow).bench;
    const { a, b } = pair();
    const camera = await track(ports.media.openCamera(null));
    for (const peer of [a, b]) await peer.send("video", camera);
    const dropped = b.offer({ restart: false });
    const wasPending = b.hasPendingOffer();
    const offer = await a.offer({ restart: false });
    await dropped;
    const answer = await b.takeDescription(offer);
    if (answer === null) throw new Error("no answer");
    await a.takeDescription(answer);
    // An answer to the dropped offer changes nothing.
    const late = await b.takeDescription(answer);
    await until(() => a.state() === "connected" && b.state() === "connected");
    const pictures = [a, b].map(({ stream }) => picture(stream));
    await until(() => pictures.every((one) => one.height() > 0));
    const counts = [a, b].map(({ stream }) => stream.getTracks().length);
    // Both sides can restart, and the tracks stay the same.
    await negotiate(b, a, { restart: true });
    await negotiate(a, b, { restart: true });
    await until(() => a.state() === "connected" && b.state() === "connected");
    const after = [a, b].map(({ stream }) => stream.getTracks().length);
    await Promise.all(pictures.map((one) => one.moves()));
    for (const peer of [a, b]) peer.close();
    camera.stop();
    return { wasPending, late, counts, after };
  });
  expect(result.wasPending).toBe(true);
  expect(result.late).toBeNull();
  expect(result.counts).toEqual([2, 2]);
  expect(result.after).toEqual([2, 2]);
});

test("a candidate without a description is refused, and nothing fails after the end", async ({ bench }) => {
  const result = await bench.evaluate(async () => {
    const { ports, track, pair } = (window as unknown as BenchWindow).bench;
    const { a } = pair();
    const isTaken = await a.addCandidate({
      candidate: "candidate:1 1 udp 1 127.0.0.1 9 typ host",
      sdpMid: "0",
    });
    a.close();
    const camera = await track(ports.media.openCamera(null));
    await a.send("video", camera);
    await a.limitVideo({ height: 180, framesPerSecond: 15, bitsPerSecond: 150_000 });
    let ends = 0;
    camera.onEnded(() => ends++);
    camera.stop();
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { isTaken, ends, level: a.level() };
  });
  expect(result).toEqual({ isTaken: false, ends: 0, level: null });
});

test("a ringtone begins with the first gesture in the page, and repeats until it is stopped", async ({
  bench,
}) => {
  await bench.evaluate(() => {
    const { ports } = (window as unknown as BenchWindow).bench;
    const started: AudioBufferSourceNode[] = [];
    const { start } = AudioBufferSourceNode.prototype;
    AudioBufferSourceNode.prototype.start = function (...values) {
      started.push(this);
      start.apply(this, values);
    };
    Object.assign(window, { started, stop: ports.ringtones.start("incoming") });
  });
  await bench.mouse.click(10, 10);
  const result = await bench.evaluate(async () => {
    const { ports, until } = (window as unknown as BenchWindow).bench;
    const { started, stop } = window as unknown as { started: AudioBufferSourceNode[]; stop: () => void };
    await until(() => started.length > 0);
    let stopped = 0;
    started[0]?.addEventListener("ended", () => stopped++);
    const isLooping = started[0]?.loop;
    stop();
    await until(() => stopped === 1);
    ports.ringtones.start("outgoing")();
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { isLooping, count: started.length };
  });
  expect(result).toEqual({ isLooping: true, count: 1 });
});

test("a shared screen has no device, and its text stays sharp", async ({ bench }) => {
  const result = await bench.evaluate(async () => {
    const { ports, track } = (window as unknown as BenchWindow).bench;
    const screen = await track(ports.media.openScreen());
    const hint = screen.stream.getTracks()[0]?.contentHint;
    screen.stop();
    return { deviceId: screen.deviceId, hint };
  });
  expect(result).toEqual({ deviceId: "", hint: "detail" });
});
