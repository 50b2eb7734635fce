import { describe, expect, test } from "vitest";
import { createFakeCallPorts, type FakeTrack } from "../testing/fake-call-ports.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import { createDeviceChoices } from "./device-choices.ts";
import { createLocalMedia, DEFAULT_PROCESSING } from "./local-media.ts";

const silent = { debug: () => undefined, warn: () => undefined, error: () => undefined };

function setUp() {
  const clock = createFakeClock();
  const ports = createFakeCallPorts(clock);
  const saved = new Map<string, string>();
  const storage = {
    get: (key: string) => saved.get(key) ?? null,
    set: (key: string, value: string) => void saved.set(key, value),
    remove: (key: string) => void saved.delete(key),
  };
  const choices = createDeviceChoices(storage, DEFAULT_PROCESSING);
  const media = createLocalMedia({
    media: ports.media,
    clock,
    log: silent,
    choices,
    onChange: () => undefined,
  });
  const connection = ports.peers.create({
    candidate: () => undefined,
    stateChanged: () => undefined,
  });
  media.attach(connection);
  const [fake] = ports.connections;
  if (fake === undefined) throw new Error("no connection");
  const sentName = (kind: "audio" | "video") => (fake.sent[kind] as FakeTrack | null)?.name ?? null;
  return { clock, ports, storage, choices, media, sentName };
}

/** The tracks that are open, with "off" for those that deliver nothing. */
const openTracks = (tracks: readonly FakeTrack[]) =>
  tracks
    .filter(({ isStopped }) => !isStopped)
    .map(({ name, isEnabled }) => (isEnabled ? name : `${name} off`));

describe("the devices of a call", () => {
  test("open together, and are sent to every attached connection", async () => {
    const { ports, media, sentName } = setUp();
    expect(await media.open(true)).toBeNull();
    expect(openTracks(ports.tracks)).toEqual(["microphone", "camera"]);
    expect([sentName("audio"), sentName("video")]).toEqual(["microphone", "camera"]);
    expect(media.view()).toMatchObject({ microphone: { kind: "on" }, camera: { kind: "on" } });
  });

  test("make no more pictures than are sent, also with another camera", async () => {
    const { ports, media } = setUp();
    await media.open(true);
    const rates = () => ports.tracks.filter(({ kind }) => kind === "video").map(({ rate }) => rate);
    expect(rates()).toEqual([null]);
    media.setCameraRate(20);
    expect(rates()).toEqual([20]);
    media.reopen("camera");
    await flushMicrotasks();
    expect(rates()).toEqual([20, 20]);
  });

  test("say why one of them cannot be opened, and the other works", async () => {
    const { ports, media } = setUp();
    ports.problems.camera = "inUse";
    expect(await media.open(true)).toBeNull();
    expect(media.view().camera).toEqual({ kind: "failed", problem: "inUse" });
    ports.problems.microphone = "denied";
    const other = setUp();
    other.ports.problems.microphone = "denied";
    expect(await other.media.open(false)).toBe("denied");
  });

  test("mute the microphone without closing it", async () => {
    const { ports, media, sentName } = setUp();
    await media.open(false);
    media.setMicrophone(false);
    expect(openTracks(ports.tracks)).toEqual(["microphone off"]);
    expect(sentName("audio")).toBe("microphone");
    media.setMicrophone(true);
    expect(openTracks(ports.tracks)).toEqual(["microphone"]);
  });

  test("turn the camera off by a black picture first, and then close it", async () => {
    const { clock, ports, media, sentName } = setUp();
    await media.open(true);
    media.setCamera(false);
    expect(media.view().camera.kind).toBe("off");
    expect(openTracks(ports.tracks)).toEqual(["microphone", "camera off"]);
    clock.advance(120);
    expect(openTracks(ports.tracks)).toEqual(["microphone"]);
    expect(sentName("video")).toBeNull();
  });

  test("turn the camera on again before it was closed", async () => {
    const { clock, ports, media, sentName } = setUp();
    await media.open(true);
    media.setCamera(false);
    media.setCamera(true);
    clock.advance(1_000);
    expect(openTracks(ports.tracks)).toEqual(["microphone", "camera"]);
    expect(sentName("video")).toBe("camera");
    expect(media.view().camera.kind).toBe("on");
  });

  test("close a camera that opens after it was turned off", async () => {
    const { ports, media } = setUp();
    media.setCamera(true);
    media.setCamera(false);
    await flushMicrotasks();
    expect(openTracks(ports.tracks)).toEqual([]);
    expect(media.view().camera.kind).toBe("off");
  });

  test("send the screen instead of the camera while it is shared, also if sharing is ended in the browser", async () => {
    const { ports, media, sentName } = setUp();
    await media.open(true);
    media.setScreen(true);
    await flushMicrotasks();
    expect(sentName("video")).toBe("screen");
    expect(media.view().screen).toBe("on");
    ports.tracks.find(({ name }) => name === "screen")?.end();
    expect(sentName("video")).toBe("camera");
    expect(media.view().screen).toBe("off");
    ports.problems.screen = "cancelled";
    media.setScreen(true);
    await flushMicrotasks();
    expect(media.view().screen).toBe("off");
  });

  test("take the default microphone when the used one was unplugged", async () => {
    const { ports, media, sentName } = setUp();
    await media.open(false);
    ports.tracks[0]?.end();
    await flushMicrotasks();
    expect(ports.tracks).toHaveLength(2);
    expect(sentName("audio")).toBe("microphone");
    expect(media.view().microphone.kind).toBe("on");
  });

  test("change to another device without a gap, and stay muted", async () => {
    const { ports, media, choices, sentName } = setUp();
    await media.open(false);
    media.setMicrophone(false);
    const device = { kind: "microphone", id: "second", label: "Second" } as const;
    choices.choose("microphone", device);
    media.reopen("microphone");
    await flushMicrotasks();
    expect(openTracks(ports.tracks)).toEqual(["microphone off"]);
    expect(ports.tracks.at(-1)?.deviceId).toBe("second");
    expect(sentName("audio")).toBe("microphone");
    expect(media.view().microphone.kind).toBe("off");
  });

  test("stay muted when the used microphone was unplugged", async () => {
    const { ports, media } = setUp();
    await media.open(false);
    media.setMicrophone(false);
    const [first] = ports.tracks;
    first?.end();
    await flushMicrotasks();
    expect(openTracks(ports.tracks.slice(1))).toEqual(["microphone off"]);
    expect(media.view().microphone.kind).toBe("off");
    media.setMicrophone(true);
    expect(openTracks(ports.tracks.slice(1))).toEqual(["microphone"]);
  });

  test("leave a camera off that was unplugged while it was being turned off", async () => {
    const { clock, ports, media, sentName } = setUp();
    await media.open(true);
    media.setCamera(false);
    ports.tracks.find(({ name }) => name === "camera")?.end();
    await flushMicrotasks();
    clock.advance(1_000);
    expect(ports.tracks).toHaveLength(2);
    expect([media.view().camera.kind, sentName("video")]).toEqual(["off", null]);
  });

  test("change to another device in a browser that ends the one before when it opens", async () => {
    const { ports, media, sentName } = setUp();
    await media.open(false);
    media.setMicrophone(false);
    media.reopen("microphone");
    ports.tracks[0]?.end();
    await flushMicrotasks();
    expect(openTracks(ports.tracks)).toEqual(["microphone off"]);
    expect([ports.tracks.length, sentName("audio"), media.view().microphone.kind]).toEqual([
      2,
      "microphone",
      "off",
    ]);
  });

  test.each(["microphone", "camera"] as const)(
    "are off, and say why, if another %s cannot be opened; the next one that is chosen is used at once",
    async (source) => {
      const { ports, media, choices, sentName } = setUp();
      await media.open(true);
      ports.problems[source] = "inUse";
      media.reopen(source);
      await flushMicrotasks();
      const other = source === "camera" ? "microphone" : "camera";
      expect(media.view()[source]).toEqual({ kind: "failed", problem: "inUse" });
      expect(openTracks(ports.tracks)).toEqual([other]);
      expect(sentName(source === "microphone" ? "audio" : "video")).toBeNull();
      delete ports.problems[source];
      choices.choose(source, { kind: source, id: "second", label: "Second" });
      media.reopen(source);
      await flushMicrotasks();
      expect(media.view()[source].kind).toBe("on");
      expect(ports.tracks.at(-1)?.deviceId).toBe("second");
    },
  );

  test("say of a call that is begun what the last attempt to open the microphone says", async () => {
    const { ports, media } = setUp();
    const first = Promise.withResolvers<void>();
    const { openMicrophone } = ports.media;
    ports.media.openMicrophone = async (...chosen) => {
      await first.promise;
      return openMicrophone(...chosen);
    };
    const opening = media.open(false);
    ports.media.openMicrophone = async () => ({ ok: false, problem: "denied" });
    media.reopen("microphone");
    first.resolve();
    expect(await opening).toBe("denied");
    expect(openTracks(ports.tracks)).toEqual([]);
  });

  test("use the last of several attempts, also if an older one fails after it", async () => {
    const { ports, media, sentName } = setUp();
    await media.open(false);
    const first = Promise.withResolvers<void>();
    const openScreen = ports.media.openScreen;
    ports.media.openScreen = async () => {
      await first.promise;
      return { ok: false, problem: "cancelled" };
    };
    media.setScreen(true);
    media.setScreen(false);
    ports.media.openScreen = openScreen;
    media.setScreen(true);
    first.resolve();
    await flushMicrotasks();
    expect([media.view().screen, sentName("video")]).toEqual(["on", "screen"]);
    expect(openTracks(ports.tracks)).toEqual(["microphone", "screen"]);
  });

  test("take the default device if the one that was chosen cannot be opened and the one before has ended by that", async () => {
    const { ports, media, sentName } = setUp();
    await media.open(false);
    media.setMicrophone(false);
    ports.problems.microphone = "inUse";
    media.reopen("microphone");
    ports.tracks[0]?.end();
    delete ports.problems.microphone;
    await flushMicrotasks();
    expect(openTracks(ports.tracks.slice(1))).toEqual(["microphone off"]);
    expect([sentName("audio"), media.view().microphone.kind]).toEqual(["microphone", "off"]);
  });

  test("close another camera that opens after the camera was turned off", async () => {
    const { clock, ports, media } = setUp();
    await media.open(true);
    media.reopen("camera");
    media.setCamera(false);
    await flushMicrotasks();
    clock.advance(1_000);
    expect(openTracks(ports.tracks)).toEqual(["microphone"]);
  });

  test("use the device that was chosen last", async () => {
    const { ports, media, choices } = setUp();
    await media.open(false);
    for (const id of ["second", "third"]) {
      choices.choose("microphone", { kind: "microphone", id, label: id });
      media.reopen("microphone");
    }
    await flushMicrotasks();
    const open = ports.tracks.filter(({ isStopped }) => !isStopped);
    expect(open.map(({ deviceId }) => deviceId)).toEqual(["third"]);
  });

  test("tell that I speak, also while I am muted", async () => {
    const { clock, ports, media } = setUp();
    await media.open(false);
    const [microphone] = ports.tracks;
    if (microphone === undefined) throw new Error("no microphone");
    microphone.loudness = 0.2;
    clock.advance(1_000);
    expect(media.view().isSpeaking).toBe(true);
    media.setMicrophone(false);
    microphone.loudness = 0;
    clock.advance(2_000);
    expect(media.view()).toMatchObject({ isSpeaking: false, microphone: { kind: "off" } });
    microphone.loudness = 0.2;
    clock.advance(250);
    expect(media.view()).toMatchObject({ isSpeaking: true, microphone: { kind: "off" } });
  });

  test("are all closed at the end, also those that open later", async () => {
    const { clock, ports, media } = setUp();
    await media.open(false);
    media.setCamera(true);
    media.close();
    await flushMicrotasks();
    expect(openTracks(ports.tracks)).toEqual([]);
    expect(clock.nextAt()).toBeNull();
  });
});

describe("the choice of a device", () => {
  test("survives the page, and finds a device with a new id by its name", () => {
    const { storage, choices } = setUp();
    choices.choose("camera", { kind: "camera", id: "old", label: "Desk camera" });
    const later = createDeviceChoices(storage, DEFAULT_PROCESSING);
    expect(later.chosen("camera")).toBe("old");
    later.update([{ kind: "camera", id: "new", label: "Desk camera" }]);
    expect(later.chosen("camera")).toBe("new");
    later.update([{ kind: "camera", id: "other", label: "Another" }]);
    expect(later.chosen("camera")).toBeNull();
    later.setProcessing({ noiseSuppression: false, echoCancellation: true });
    expect(createDeviceChoices(storage, DEFAULT_PROCESSING).processing().noiseSuppression).toBe(false);
  });

  test("keeps what other tabs choose", () => {
    const { storage, choices } = setUp();
    const other = createDeviceChoices(storage, DEFAULT_PROCESSING);
    choices.choose("camera", { kind: "camera", id: "desk", label: "Desk camera" });
    other.choose("speaker", { kind: "speaker", id: "loud", label: "Loud" });
    choices.setProcessing({ noiseSuppression: false, echoCancellation: true });
    expect(choices.chosen("speaker")).toBe("loud");
    expect(other.chosen("camera")).toBe("desk");
    expect(other.processing().noiseSuppression).toBe(false);
  });

  test("is the default one if what was saved cannot be read", () => {
    const { storage } = setUp();
    storage.set("parley.callDevices", "{");
    const choices = createDeviceChoices(storage, DEFAULT_PROCESSING);
    expect(choices.chosen("camera")).toBeNull();
    expect(choices.processing()).toEqual(DEFAULT_PROCESSING);
  });
});
