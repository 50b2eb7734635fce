import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { MessageType } from "@parley/protocol/codes";
import { videoContent } from "@parley/protocol/message";
import { choose, expectWaiting, stored, waitingKinds } from "../src/attachments.ts";
import { expect, test } from "../src/fixtures.ts";
import { expectToast } from "../src/toasts.ts";

/** Two seconds of H.264 and AAC, as cameras of phones make them. */
const MOV = fileURLToPath(new URL("../assets/quicktime.mov", import.meta.url));

test("E1 a QuickTime video is sent as a video, which plays on the other side", async ({
  friends,
  chatting: { lin, bo },
}) => {
  const movie = { name: "clip.mov", mimeType: "video/quicktime", buffer: await readFile(MOV) };
  await choose(lin, "attach.pickPicture", [movie]);
  await expectWaiting(lin, ["clip.mov"]);
  await expect.poll(() => waitingKinds(lin)).toEqual([lin.t("attach.video").split(" ")[0]]);
  await lin.button("chat.send").click();
  await expect
    .poll(async () => (await stored(friends.lin)).map(({ type }) => type))
    .toEqual([MessageType.VIDEO]);
  const [message] = await stored(friends.lin);
  const { videoUrl, width, height, duration } = videoContent.parse(JSON.parse(message?.content ?? ""));
  expect([width, height, Math.round(duration ?? 0)]).toEqual([320, 180, 2]);
  expect((await fetch(`${bo.url}${videoUrl}`)).headers.get("content-type")).toBe("video/quicktime");
  await bo.page
    .getByRole("log")
    .getByRole("button", { name: new RegExp(`^${bo.t("media.video")}`) })
    .click();
  const video = bo.dialog().locator("video");
  await expect
    .poll(() =>
      video.evaluate(({ currentTime, videoWidth }: HTMLVideoElement) => currentTime > 0 && videoWidth),
    )
    .toBe(320);
});

test("E1 a video that the browser cannot play goes as a file, which a sentence says before it is sent", async ({
  lin,
  cast,
}) => {
  await lin.openChat(cast.bo.nickName);
  const buffer = Buffer.concat([(await readFile(MOV)).subarray(0, 1_000), Buffer.alloc(1_000, "x")]);
  await choose(lin, "attach.pickPicture", [{ name: "torn.mov", mimeType: "video/quicktime", buffer }]);
  await expectToast(lin.page, lin.t("attach.goesAsFile", { name: "torn.mov" }));
  await expectWaiting(lin, ["torn.mov"]);
  await expect.poll(() => waitingKinds(lin)).toEqual([lin.t("attach.file").split(" ")[0]]);
});
