import { writeFile } from "node:fs/promises";
import type { FileChooser, Locator } from "@playwright/test";
import { MessageType } from "@parley/protocol/codes";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { audioContent, fileContent, imageContent, videoContent } from "@parley/protocol/message";
import { createAccount, befriend } from "../src/api.ts";
import { expect, type Friends, test } from "../src/fixtures.ts";
import type { Person } from "../src/person.ts";
import { createPng } from "../src/png.ts";

const PHONE = { viewport: { width: 390, height: 844 }, isTouch: true } as const;

const png = (name: string, side = 40) => ({ name, mimeType: "image/png", buffer: createPng(side) });
const text = (name: string, content = name) => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(content),
});

/** The files that wait above the field. */
function waiting(person: Person): Locator {
  return person.page.locator("[data-strip] [data-tile]");
}

async function expectWaiting(person: Person, names: readonly string[]): Promise<void> {
  await expect(waiting(person)).toHaveCount(names.length);
  await expect
    .poll(() => waiting(person).evaluateAll((tiles) => tiles.map((tile) => tile.getAttribute("aria-label"))))
    .toEqual(names.map((name) => expect.stringContaining(` ${name}`)));
}

/** Chooses files through the browser's dialog. */
async function choose(person: Person, item: string, files: Parameters<FileChooser["setFiles"]>[0]) {
  const opened = person.page.waitForEvent("filechooser");
  await person.sendFromPlusMenu(item);
  await (await opened).setFiles(files);
}
/** What the server has of the conversation, oldest first: texts as they are, contents of files parsed. */
async function stored({ lin }: Pick<Friends, "lin">) {
  const rows = await lin.call(ENDPOINTS.loadPrivateMessages, { query: { minId: 0 } });
  return rows
    .filter(({ type }) => type !== MessageType.TIP_TEXT)
    .map(({ type, content }) => ({ type, content: content ?? "" }));
}

/** Starts a drag of files over the conversation, and drops them on a zone. */
async function drop(person: Person, zone: "picture" | "file", files: readonly ReturnType<typeof png>[]) {
  const data = await person.page.evaluateHandle(
    (sent) => {
      const transfer = new DataTransfer();
      for (const { name, mimeType, bytes } of sent) {
        transfer.items.add(new File([new Uint8Array(bytes)], name, { type: mimeType }));
      }
      return transfer;
    },
    files.map(({ name, mimeType, buffer }) => ({ name, mimeType, bytes: [...buffer] })),
  );
  await person.page.getByRole("log").dispatchEvent("dragenter", { dataTransfer: data });
  const target = person.page.locator(`[data-drop-zone="${zone}"][data-over]`);
  await expect(target).toBeVisible();
  await target.dispatchEvent("dragenter", { dataTransfer: data });
  await target.dispatchEvent("dragover", { dataTransfer: data });
  await expect(target).toHaveAttribute("data-over", "true");
  await target.dispatchEvent("drop", { dataTransfer: data });
  await expect(target).toHaveCount(0);
}

/** Makes the page keep the microphone's tracks, to see whether they are off. */
async function watchMicrophone(person: Person): Promise<() => Promise<readonly string[]>> {
  await person.page.evaluate(() => {
    const tracks: MediaStreamTrack[] = [];
    Object.assign(window, { microphoneTracks: tracks });
    const devices = navigator.mediaDevices;
    const getUserMedia = devices.getUserMedia.bind(devices);
    devices.getUserMedia = async (wanted) => {
      const stream = await getUserMedia(wanted);
      tracks.push(...stream.getTracks());
      return stream;
    };
  });
  return () =>
    person.page.evaluate(() =>
      (window as unknown as { microphoneTracks: readonly MediaStreamTrack[] }).microphoneTracks.map(
        ({ readyState }) => readyState,
      ),
    );
}

/** Waits until a recording runs for so many seconds. */
async function expectRecording(person: Person, seconds: number): Promise<void> {
  const timer = person.page.getByRole("timer");
  await expect(timer).toHaveText(/^\d:\d\d$/);
  await expect
    .poll(async () => Number((await timer.textContent())?.slice(-2) ?? 0))
    .toBeGreaterThanOrEqual(seconds);
}

test("E1 E6 E7 E8 E10 chosen files are moved, removed, changed to files, and sent in order before the text, into the chat in which they were chosen", async ({
  friends,
  chatting: { lin },
  cast,
  server,
}) => {
  const mei = await createAccount(server.url, cast.mei.userName, cast.mei.nickName);
  await befriend(mei, friends.lin);
  await choose(lin, "attach.pickPicture", [
    png("one.png"),
    png("two.png"),
    png("three.png"),
    png("four.png"),
  ]);
  await choose(lin, "attach.pickFile", [text("notes.txt")]);
  await expectWaiting(lin, ["one.png", "two.png", "three.png", "four.png", "notes.txt"]);

  // By keys: to the front, and away.
  await waiting(lin).nth(2).focus();
  await lin.page.keyboard.press("Shift+ArrowLeft");
  await expectWaiting(lin, ["one.png", "three.png", "two.png", "four.png", "notes.txt"]);
  await expect(waiting(lin).nth(1)).toBeFocused();
  await lin.page.keyboard.press("Delete");
  await expectWaiting(lin, ["one.png", "two.png", "four.png", "notes.txt"]);
  await expect(waiting(lin).nth(1)).toBeFocused();
  // By the pointer: the first behind the second.
  const [first, second] = [await waiting(lin).nth(0).boundingBox(), await waiting(lin).nth(1).boundingBox()];
  if (first === null || second === null) throw new Error("the files are not visible");
  await lin.page.mouse.move(first.x + 10, first.y + 40);
  await lin.page.mouse.down();
  await lin.page.mouse.move(second.x + 20, second.y + 40, { steps: 5 });
  await lin.page.mouse.move(second.x + 50, second.y + 40, { steps: 5 });
  await lin.page.mouse.up();
  await expectWaiting(lin, ["two.png", "one.png", "four.png", "notes.txt"]);
  await expect(lin.page.getByRole("menu")).toHaveCount(0);
  // By the menu: a picture as a file.
  await waiting(lin).nth(2).click();
  await lin.menuItem("attach.asFile").click();
  await expect(waiting(lin).nth(2)).toHaveAccessibleName(
    new RegExp(`^${lin.t("attach.file", { name: "four.png", size: "" })}`),
  );

  await lin.composer().fill("看看这些");
  // Another chat has none of them.
  await lin.openChat(cast.mei.nickName);
  await expect(waiting(lin)).toHaveCount(0);
  await expect(lin.row(cast.bo.nickName)).toContainText(`${lin.t("chat.draft")} 看看这些`);
  await lin.openChat(cast.bo.nickName);
  await expectWaiting(lin, ["two.png", "one.png", "four.png", "notes.txt"]);
  await lin.composer().press("Enter");
  await lin.openChat(cast.mei.nickName);

  await expect.poll(async () => (await stored(friends)).length).toBe(5);
  const messages = await stored(friends);
  expect(messages.map(({ type }) => type)).toEqual([
    MessageType.IMAGE,
    MessageType.IMAGE,
    MessageType.FILE,
    MessageType.FILE,
    MessageType.TEXT,
  ]);
  expect(imageContent.parse(JSON.parse(messages[0]?.content ?? ""))).toMatchObject({ width: 40, height: 40 });
  expect(fileContent.parse(JSON.parse(messages[2]?.content ?? ""))).toMatchObject({ name: "four.png" });
  expect(fileContent.parse(JSON.parse(messages[3]?.content ?? ""))).toMatchObject({
    name: "notes.txt",
    size: 9,
  });
  expect(messages[4]?.content).toBe("看看这些");
  await lin.openChat(cast.bo.nickName);
  await expect(waiting(lin)).toHaveCount(0);
  await expect(lin.composer()).toHaveValue("");
});

test("E2 E3 empty, too large and too many files are refused in words, and the others stay", async ({
  lin,
  cast,
}) => {
  await lin.openChat(cast.bo.nickName);
  await choose(lin, "attach.pickFile", [text("empty.txt", ""), text("good.txt")]);
  await expect(lin.page.getByText(lin.t("attach.empty"))).toBeVisible();
  await expectWaiting(lin, ["good.txt"]);
  await choose(
    lin,
    "attach.pickFile",
    Array.from({ length: 21 }, (_, index) => text(`n${index}.txt`)),
  );
  await expect(lin.page.getByText(lin.t("attach.tooMany", { max: 20 }))).toBeVisible();
  await expect(waiting(lin)).toHaveCount(20);
});

test.describe("with a small limit", () => {
  test.use({ ownServer: { UPLOAD_MAX_MB: "1" } });

  test("E2 a file above the server's limit is refused with the limit", async ({ lin, cast }) => {
    await lin.openChat(cast.bo.nickName);
    await choose(lin, "attach.pickFile", [text("large.txt", "x".repeat(1_048_577)), text("good.txt")]);
    await expect(lin.page.getByText(lin.t("upload.tooLarge", { max: "1.00 MB" }))).toBeVisible();
    await expectWaiting(lin, ["good.txt"]);
  });
});

test("E4 E9 a picture is pasted, the cells of a spreadsheet are pasted as text, and files are sent without a text; a quote stays", async ({
  friends,
  chatting: { lin, bo },
}) => {
  await bo.send("which one?");
  await lin.runMessageAction("which one?", "act.quote");
  await lin.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await lin.composer().focus();
  const copy = (withText: boolean) =>
    lin.page.evaluate(async (hasText) => {
      const canvas = new OffscreenCanvas(30, 20);
      canvas.getContext("2d")?.fillRect(0, 0, 30, 20);
      const picture = await canvas.convertToBlob({ type: "image/png" });
      await navigator.clipboard.write([
        new ClipboardItem({
          "image/png": picture,
          ...(hasText && { "text/plain": new Blob(["1\t2"], { type: "text/plain" }) }),
        }),
      ]);
    }, withText);
  await copy(true);
  await lin.page.keyboard.press("Control+v");
  await expect(lin.composer()).toHaveValue("1\t2");
  await expect(waiting(lin)).toHaveCount(0);
  await lin.composer().fill("");
  await expect(lin.button("chat.send")).toBeDisabled();
  await copy(false);
  await lin.page.keyboard.press("Control+v");
  await expect(waiting(lin)).toHaveCount(1);
  await expect(lin.composer()).toHaveValue("");
  await lin.button("chat.send").click();
  await expect(waiting(lin)).toHaveCount(0);
  await expect.poll(async () => (await stored(friends)).at(-1)?.type).toBe(MessageType.IMAGE);
  // The quote waits for a text.
  await expect(lin.button("chat.unquote")).toBeVisible();
});

test("E5 dropped files are sent as pictures or as files, by the zone; a drag of text shows no zones", async ({
  lin,
  cast,
}) => {
  await lin.openChat(cast.bo.nickName);
  const data = await lin.page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.setData("text/plain", "hello");
    return transfer;
  });
  await lin.page.getByRole("log").dispatchEvent("dragenter", { dataTransfer: data });
  await lin.page.getByRole("log").dispatchEvent("dragover", { dataTransfer: data });
  await expect(lin.page.locator("[data-over]")).toHaveCount(0);
  await drop(lin, "picture", [png("a.png"), text("b.txt")]);
  await expectWaiting(lin, ["a.png", "b.txt"]);
  await drop(lin, "file", [png("c.png")]);
  await expectWaiting(lin, ["a.png", "b.txt", "c.png"]);
  const kinds = waiting(lin).evaluateAll((tiles) => tiles.map((tile) => tile.ariaLabel?.split(" ")[0]));
  const fileLabel = lin.t("attach.file").split(" ")[0];
  expect(await kinds).toEqual([lin.t("attach.picture").split(" ")[0], fileLabel, fileLabel]);
});

test("E10 a reload keeps the waiting files, and they can be sent after it", async ({
  friends,
  lin,
  cast,
}) => {
  await lin.openChat(cast.bo.nickName);
  await choose(lin, "attach.pickPicture", [png("one.png"), png("two.png")]);
  await expectWaiting(lin, ["one.png", "two.png"]);
  await lin.page.reload();
  await expectWaiting(lin, ["one.png", "two.png"]);
  await lin.link("nav.friends").click();
  await lin.link("nav.chats").click();
  await expect(lin.row(cast.bo.nickName)).toContainText(`${lin.t("chat.draft")} ${lin.t("preview.image")}`);
  await lin.openChat(cast.bo.nickName);
  await expectWaiting(lin, ["one.png", "two.png"]);
  await lin.button("chat.send").click();
  await expect.poll(async () => (await stored(friends)).map(({ type }) => type)).toEqual([1, 1]);
});

/** A video of the browser's own making, 320 x 240 px: black at first, then red. */
async function recordVideo(person: Person): Promise<Buffer> {
  const bytes = await person.page.evaluate(async () => {
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: 320, height: 240 });
    const context = canvas.getContext("2d");
    const startedAt = performance.now();
    const timer = setInterval(() => {
      if (context === null) return;
      context.fillStyle = performance.now() - startedAt < 300 ? "black" : "red";
      context.fillRect(0, 0, 320, 240);
    }, 30);
    const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: "video/webm" });
    const chunks: Blob[] = [];
    recorder.addEventListener("dataavailable", ({ data }) => chunks.push(data));
    const isOver = new Promise((resolve) => recorder.addEventListener("stop", resolve));
    recorder.start();
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    recorder.stop();
    await isOver;
    clearInterval(timer);
    return [...new Uint8Array(await new Blob(chunks).arrayBuffer())];
  });
  return Buffer.from(bytes);
}

test("E1 E11 a video is sent with its size, its length, and a cover that is not the black of its beginning", async ({
  friends,
  lin,
  cast,
}) => {
  await lin.openChat(cast.bo.nickName);
  const buffer = await recordVideo(lin);
  await choose(lin, "attach.pickPicture", [{ name: "tea.webm", mimeType: "video/webm", buffer }]);
  await expectWaiting(lin, ["tea.webm"]);
  await lin.button("chat.send").click();
  await expect.poll(async () => (await stored(friends)).map(({ type }) => type)).toEqual([MessageType.VIDEO]);
  const [message] = await stored(friends);
  const video = videoContent.parse(JSON.parse(message?.content ?? ""));
  expect(video).toMatchObject({ width: 320, height: 240 });
  expect(video.duration).toBeGreaterThanOrEqual(1);
  const [red = 0, green = 0] = await lin.page.evaluate(async (address) => {
    const picture = await createImageBitmap(await (await fetch(address)).blob());
    const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    context?.drawImage(picture, 0, 0);
    return [...(context?.getImageData(picture.width / 2, picture.height / 2, 1, 1).data ?? [])];
  }, video.coverUrl);
  expect(red).toBeGreaterThan(150);
  expect(green).toBeLessThan(100);
});

test("E13 E17 E19 a voice message is recorded, heard and sent, and is no silence; the microphone is off after it", async ({
  friends,
  chatting: { lin, bo },
}) => {
  const microphone = await watchMicrophone(lin);
  await lin.button("voice.record").click();
  await expectRecording(lin, 2);
  expect(await microphone()).toEqual(["live"]);
  await lin.button("voice.stop").click();
  await lin.button("voice.play").click();
  await expect(lin.button("voice.pause")).toBeVisible();
  expect(await microphone()).toEqual(["ended"]);
  await lin.button("voice.send").click();
  await expect(lin.composer()).toBeFocused();
  await expect.poll(async () => (await stored(friends)).length).toBe(1);
  const [message] = await stored(friends);
  expect(message?.type).toBe(MessageType.AUDIO);
  const { duration, url, wave } = audioContent.parse(JSON.parse(message?.content ?? ""));
  expect(duration).toBeGreaterThanOrEqual(2);
  expect(wave).toMatch(/^[0-9a-f]{24,64}$/);
  expect(wave).toMatch(/[4-9a-f]/);
  const loudness = await bo.page.evaluate(async (address) => {
    const bytes = await (await fetch(address)).arrayBuffer();
    const audio = await new OfflineAudioContext(1, 1, 48_000).decodeAudioData(bytes);
    const samples = audio.getChannelData(0);
    return { seconds: audio.duration, rms: Math.hypot(...samples.filter((_, index) => index % 100 === 0)) };
  }, url);
  expect(loudness.seconds).toBeGreaterThan(1.5);
  expect(loudness.rms).toBeGreaterThan(0.1);
  const play = bo.messages().getByRole("button", { name: bo.t("media.play"), exact: true });
  await play.click();
  await expect(bo.messages().getByRole("button", { name: bo.t("media.pause"), exact: true })).toBeVisible();
  // It is played to its end.
  await expect(play).toBeVisible();
});

test("E14 E16 E17 E18 a recording that is too short, cancelled, refused or left with its chat is not sent, and the microphone is off", async ({
  friends,
  chatting: { lin },
  cast,
}) => {
  const microphone = await watchMicrophone(lin);
  await lin.button("voice.record").click();
  await expectRecording(lin, 0);
  await lin.button("voice.send").click();
  await expect(lin.page.getByText(lin.t("voice.tooShort"))).toBeVisible();
  await lin.button("voice.record").click();
  await expectRecording(lin, 1);
  await lin.page.keyboard.press("Escape");
  await expect(lin.composer()).toBeFocused();
  await lin.button("voice.record").click();
  await expectRecording(lin, 1);
  await lin.link("nav.friends").click();
  await expect(lin.page.getByText(lin.t("voice.discarded"))).toBeVisible();
  expect(await microphone()).toEqual(["ended", "ended", "ended"]);
  await lin.link("nav.chats").click();
  await lin.openChat(cast.bo.nickName);
  await lin.page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () =>
      Promise.reject(new DOMException("Permission denied", "NotAllowedError"));
  });
  await lin.button("voice.record").click();
  await expect(lin.page.getByText(lin.t("voice.refused"))).toBeVisible();
  await expect(lin.composer()).toBeVisible();
  expect(await stored(friends)).toEqual([]);
});

test("E15 on a phone a held finger records and sends, slides away to cancel and up to lock; the strip scrolls sideways", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const lin = await openSignedIn({ ...cast.lin, ...PHONE });
  await lin.row(cast.bo.nickName).tap();
  const microphone = await watchMicrophone(lin);
  const button = lin.button("voice.record");
  await expect(lin.button("chat.send")).toBeHidden();
  const box = await button.boundingBox();
  if (box === null) throw new Error("there is no microphone");
  expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const touch = await lin.context.newCDPSession(lin.page);
  const finger = (type: "touchStart" | "touchMove" | "touchEnd", dx = 0, dy = 0) =>
    touch.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: type === "touchEnd" ? [] : [{ x: x + dx, y: y + dy }],
    });
  // Away: cancelled.
  await finger("touchStart");
  await expectRecording(lin, 1);
  await finger("touchMove", -60);
  await finger("touchMove", -120);
  await expect(lin.page.getByRole("timer")).toHaveCount(0);
  await finger("touchEnd");
  // Held: sent.
  await finger("touchStart");
  await expectRecording(lin, 1);
  await finger("touchEnd");
  await expect(lin.page.getByRole("timer")).toHaveCount(0);
  await expect.poll(async () => (await stored(friends)).map(({ type }) => type)).toEqual([MessageType.AUDIO]);
  // Up: it goes on without the finger.
  await finger("touchStart");
  await expectRecording(lin, 0);
  await finger("touchMove", 0, -80);
  await finger("touchEnd", 0, -80);
  await expectRecording(lin, 1);
  await lin.button("voice.cancel").tap();
  await expect(lin.page.getByRole("timer")).toHaveCount(0);
  expect(await microphone()).toEqual(["ended", "ended", "ended"]);

  await choose(
    lin,
    "attach.pickPicture",
    Array.from({ length: 8 }, (_, index) => png(`${index}.png`)),
  );
  await expect(waiting(lin)).toHaveCount(8);
  await expect(lin.button("chat.send")).toBeEnabled();
  await expect(button).toBeHidden();
  const sizes = await lin.page.evaluate(() => {
    const list = document.querySelector("[data-strip] ul");
    return { page: document.documentElement.scrollWidth, strip: list?.scrollWidth ?? 0 };
  });
  expect(sizes.page).toBe(390);
  expect(sizes.strip).toBeGreaterThan(390);
});

test.describe("large files", () => {
  test.use({ ownServer: { UPLOAD_MAX_MB: "100" } });

  test("E8 a file of 60 MB shows its progress and arrives whole, before the text that was sent after it; a cancelled one does not", async ({
    friends,
    lin,
    cast,
  }, testInfo) => {
    const bytes = 62_914_560;
    const path = testInfo.outputPath("large.bin");
    await writeFile(path, Buffer.alloc(bytes, "parley"));
    await lin.openChat(cast.bo.nickName);
    const network = await lin.context.newCDPSession(lin.page);
    const limitUpload = (bytesPerSecond: number) =>
      network.send("Network.emulateNetworkConditions", {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: bytesPerSecond,
      });
    await network.send("Network.enable");
    await limitUpload(8_000_000);
    const progress = lin.messages().getByRole("progressbar", { name: "large.bin" });
    const percent = async () => Number(await progress.getAttribute("aria-valuenow"));
    const sendLarge = async () => {
      await choose(lin, "attach.pickFile", path);
      await expectWaiting(lin, ["large.bin"]);
      await lin.button("chat.send").click();
      await expect.poll(percent).toBeGreaterThan(4);
    };
    await sendLarge();
    expect(await percent()).toBeLessThan(100);
    await lin.button("media.cancelUpload", { name: "large.bin" }).click();
    await expect(lin.messages()).toHaveCount(0);

    await sendLarge();
    await lin.send("这是文件");
    await limitUpload(-1);
    await expect.poll(async () => (await stored(friends)).length, { timeout: 60_000 }).toBe(2);
    const [file, after] = await stored(friends);
    expect(after?.content).toBe("这是文件");
    const { url, size } = fileContent.parse(JSON.parse(file?.content ?? ""));
    expect(size).toBe(bytes);
    const received = await lin.page.evaluate(
      async (address) => (await (await fetch(address)).blob()).size,
      url,
    );
    expect(received).toBe(bytes);
    await expect(progress).toHaveCount(0);
  });
});
