import { writeFile } from "node:fs/promises";
import { animatedPicture, plainPicture } from "@parley/server/testing/pictures";
import { MessageType } from "@parley/protocol/codes";
import { fileContent, imageContent, videoContent } from "@parley/protocol/message";
import { choose, expectWaiting, png, stored, waitingKinds } from "../src/attachments.ts";
import { cropDialog, useCrop } from "../src/avatars.ts";
import { expect, test } from "../src/fixtures.ts";
import { recordVideo } from "../src/media.ts";
import type { Person } from "../src/person.ts";

test("E1 E11 a video is sent with its size, its length, and a cover that is the first of its frames that is not black", async ({
  friends,
  lin,
  cast,
}) => {
  await lin.openChat(cast.bo.nickName);
  const buffer = await recordVideo(lin.page, 2_500, [
    ["black", 250],
    ["red", 1_200],
    ["blue", Infinity],
  ]);
  await choose(lin, "attach.pickPicture", [{ name: "tea.webm", mimeType: "video/webm", buffer }]);
  await expectWaiting(lin, ["tea.webm"]);
  await lin.button("chat.send").click();
  await expect
    .poll(async () => (await stored(friends.lin)).map(({ type }) => type))
    .toEqual([MessageType.VIDEO]);
  const [message] = await stored(friends.lin);
  const video = videoContent.parse(JSON.parse(message?.content ?? ""));
  expect(video).toMatchObject({ width: 320, height: 180 });
  expect(video.duration).toBeGreaterThanOrEqual(1);
  const [red = 0, , blue = 0] = await lin.page.evaluate(async (address) => {
    const picture = await createImageBitmap(await (await fetch(address)).blob());
    const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    context?.drawImage(picture, 0, 0);
    return [...(context?.getImageData(picture.width / 2, picture.height / 2, 1, 1).data ?? [])];
  }, video.coverUrl);
  expect(red).toBeGreaterThan(150);
  expect(blue).toBeLessThan(100);
});

test("E1 a WebM that has only sound is sent as a file", async ({ lin, cast }) => {
  await lin.openChat(cast.bo.nickName);
  const bytes = await lin.page.evaluate(async () => {
    const context = new AudioContext();
    const target = context.createMediaStreamDestination();
    const tone = context.createOscillator();
    tone.connect(target);
    tone.start();
    const recorder = new MediaRecorder(target.stream, { mimeType: "audio/webm" });
    const parts: Blob[] = [];
    recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
    const isOver = new Promise((resolve) => recorder.addEventListener("stop", resolve));
    recorder.start();
    await new Promise((resolve) => setTimeout(resolve, 800));
    recorder.stop();
    await isOver;
    return [...new Uint8Array(await new Blob(parts).arrayBuffer())];
  });
  const sound = { name: "tone.webm", mimeType: "video/webm", buffer: Buffer.from(bytes) };
  await choose(lin, "attach.pickPicture", [sound]);
  await expectWaiting(lin, ["tone.webm"]);
  await expect.poll(() => waitingKinds(lin)).toEqual([lin.t("attach.file").split(" ")[0]]);
});

test("E1 a picture of more than 50 megapixels is sent as a file, and is not decoded", async ({
  lin,
  cast,
}) => {
  await lin.openChat(cast.bo.nickName);
  await lin.page.evaluate(() => {
    const decode = window.createImageBitmap.bind(window);
    window.createImageBitmap = (...parts: unknown[]) => {
      document.documentElement.dataset["decoded"] = "";
      return decode(...(parts as [ImageBitmapSource]));
    };
  });
  const large = { name: "large.png", mimeType: "image/png", buffer: await plainPicture(10_001, 5_000) };
  await choose(lin, "attach.pickPicture", [large]);
  await expectWaiting(lin, ["large.png"]);
  await expect.poll(() => waitingKinds(lin)).toEqual([lin.t("attach.file").split(" ")[0]]);
  await expect(lin.page.locator("html[data-decoded]")).toHaveCount(0);
  await choose(lin, "attach.pickPicture", [png("small.png")]);
  await expectWaiting(lin, ["large.png", "small.png"]);
  await expect(lin.page.locator("html[data-decoded]")).toHaveCount(1);
});

/** How many frames the server's file has. */
function framesOf({ page }: Person, url: string): Promise<number> {
  return page.evaluate(async (address) => {
    const answer = await fetch(address);
    const type = answer.headers.get("content-type") ?? "";
    const decoder = new ImageDecoder({ data: await answer.arrayBuffer(), type });
    await decoder.tracks.ready;
    return decoder.tracks.selectedTrack?.frameCount ?? 0;
  }, url);
}

for (const format of ["gif", "webp"] as const) {
  test(`E1 B6 an animated ${format} is sent as it is, and moves on the other side`, async ({
    friends,
    chatting: { lin, bo },
  }) => {
    const buffer = await animatedPicture(format, 160, 120);
    await choose(lin, "attach.pickPicture", [{ name: `a.${format}`, mimeType: `image/${format}`, buffer }]);
    await expectWaiting(lin, [`a.${format}`]);
    await lin.button("chat.send").click();
    await expect.poll(async () => (await stored(friends.lin)).length).toBe(1);
    const [message] = await stored(friends.lin);
    const { originUrl, thumbUrl, width, height } = imageContent.parse(JSON.parse(message?.content ?? ""));
    expect([width, height]).toEqual([160, 120]);
    expect(await framesOf(bo, originUrl)).toBe(2);
    expect(await framesOf(bo, thumbUrl)).toBe(1);
    const picture = bo.page.getByRole("log").locator("[data-picture]");
    // Before it is loaded, its still lies there, which it does not show again.
    await expect
      .poll(() =>
        picture
          .locator(`img[src$="${new URL(originUrl, bo.url).pathname}"]`)
          .evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth),
      )
      .toBe(160);
    const first = await picture.screenshot();
    await expect.poll(async () => (await picture.screenshot()).equals(first)).toBe(false);
    await expect.poll(async () => (await picture.screenshot()).equals(first)).toBe(true);
  });
}

test("VP21 an avatar that is made of an animated picture is a still", async ({ cast, openLogin }) => {
  const bo = await openLogin(cast.bo);
  await bo.open("/register");
  const buffer = await animatedPicture("webp", 160, 120);
  const input = bo.page.locator('input[type="file"]');
  await input.setInputFiles({ name: "moving.webp", mimeType: "image/webp", buffer });
  const { originUrl } = await useCrop(bo);
  expect(await framesOf(bo, originUrl)).toBe(1);
});

test("VP20 an avatar whose dialog is closed while it is drawn is not uploaded", async ({
  cast,
  openLogin,
}) => {
  const bo = await openLogin(cast.bo);
  await bo.open("/register");
  const uploads: string[] = [];
  bo.page.on("request", (request) => request.url().endsWith("/image/upload") && uploads.push(request.url()));
  // A large picture on a slow machine: it is drawn when the test says so.
  await bo.page.evaluate(() => {
    const toBlob = HTMLCanvasElement.prototype.toBlob;
    HTMLCanvasElement.prototype.toBlob = function (done, ...parts) {
      const draw = () =>
        toBlob.call(
          this,
          (blob) => {
            done(blob);
            document.documentElement.dataset["drawn"] = "";
          },
          ...parts,
        );
      addEventListener("drawing may end", draw, { once: true });
      document.documentElement.dataset["drawing"] = "";
    };
  });
  const buffer = await animatedPicture("webp", 160, 120);
  const input = bo.page.locator('input[type="file"]');
  await input.setInputFiles({ name: "a.webp", mimeType: "image/webp", buffer });
  await cropDialog(bo)
    .getByRole("button", { name: bo.t("crop.use") })
    .click();
  await expect(bo.page.locator("html[data-drawing]")).toHaveCount(1);
  await bo.answerDialog("app.cancel");
  await expect(cropDialog(bo)).toHaveCount(0);
  await bo.page.evaluate(() => dispatchEvent(new Event("drawing may end")));
  await expect(bo.page.locator("html[data-drawn]")).toHaveCount(1);
  await bo.page.waitForTimeout(500);
  expect(uploads).toEqual([]);
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
    // Half a minute for the whole file, so that it is not over before a busy machine has looked at its progress.
    await limitUpload(2_000_000);
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
    await expect.poll(async () => (await stored(friends.lin)).length, { timeout: 60_000 }).toBe(2);
    const [file, after] = await stored(friends.lin);
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
