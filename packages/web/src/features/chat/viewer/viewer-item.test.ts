import { describe, expect, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { localEcho } from "@parley/core/testing/builders";
import type { ChatMessage, PendingUpload } from "@parley/core/model/state";
import type { Translate } from "../../../kit/i18n/i18n.ts";
import { type LocalFile, viewerItem } from "./viewer-item.ts";

const client = { fileUrl: (path: string) => `https://chat.example${path}` };
const SENT_AT = new Date(2026, 5, 7, 9, 8, 1).getTime();
const IMAGE = {
  originUrl: "/files/abc/image.jpg",
  thumbUrl: "/files/abc/thumb.webp",
  width: 800,
  height: 600,
  placeholder: "UklGRg==",
};
const VIDEO = { videoUrl: "/files/abc/video.mp4", coverUrl: "/files/abc/cover.jpg", width: 640, height: 360 };
const UPLOAD: PendingUpload = {
  name: "campsite.png",
  size: 5,
  mimeType: "image/png",
  width: 30,
  height: 20,
  duration: null,
  wave: null,
};

const message = (type: number, content: unknown, part: Partial<ChatMessage> = {}) =>
  localEcho("tmp-1", { key: "k", id: 7, type, content: JSON.stringify(content), sendTime: SENT_AT, ...part });

/** The id of the text and its values. */
const t: Translate = (id, params = {}) => [id, ...Object.values(params)].join(" ");
const itemOf = (shown: ChatMessage, local: LocalFile | null = null) =>
  viewerItem(client, shown, "Bo", local, t);

describe("VP11", () => {
  test("a picture is shown from the server, its thumbnail first", () => {
    expect(itemOf(message(MessageType.IMAGE, IMAGE))).toMatchObject({
      key: "k",
      kind: "picture",
      label: "viewer.pictureFrom Bo",
      url: "https://chat.example/files/abc/image.jpg",
      thumbUrl: "https://chat.example/files/abc/thumb.webp",
      placeholder: "data:image/webp;base64,UklGRg==",
      width: 800,
      height: 600,
    });
  });

  test("a video is shown with its cover, and without what a foreign client leaves out", () => {
    expect(itemOf(message(MessageType.VIDEO, VIDEO))).toMatchObject({
      kind: "video",
      url: "https://chat.example/files/abc/video.mp4",
      thumbUrl: "https://chat.example/files/abc/cover.jpg",
      placeholder: null,
    });
  });

  test("what this device is sending is shown from the device", () => {
    const sending = message(MessageType.IMAGE, "", { id: null, content: "", upload: UPLOAD });
    const local = { url: "blob:picture", coverUrl: null };
    expect(itemOf(sending, local)).toMatchObject({
      url: "blob:picture",
      thumbUrl: null,
      width: 30,
      height: 20,
      download: { url: "blob:picture", fileName: "campsite.png" },
    });
    // After a reload the device has lost it.
    expect(itemOf(sending)).toBeNull();
  });

  test("what was sent stays from the device, and is downloaded from the server", () => {
    const item = itemOf(message(MessageType.VIDEO, VIDEO), {
      url: "blob:video",
      coverUrl: "blob:cover",
    });
    expect(item).toMatchObject({ url: "blob:video", thumbUrl: "blob:cover" });
    expect(item?.download.url).toMatch(/^https:/);
  });

  test("an unreadable content is left out", () => {
    for (const content of ["", {}, { ...IMAGE, originUrl: "https://elsewhere.example/x.png" }])
      expect(itemOf(message(MessageType.IMAGE, content))).toBeNull();
  });
});

test("VP12 a picture without a name is saved under the time of its message", () => {
  const item = itemOf(message(MessageType.IMAGE, IMAGE));
  expect(item?.download.fileName).toBe("viewer.pictureFile 2026-06-07 09.08.01.jpg");
  const { pathname, searchParams } = new URL(item?.download.url ?? "");
  expect(pathname).toBe("/files/abc/image.jpg");
  expect(searchParams.get("name")).toBe(item?.download.fileName);
  expect(searchParams.get("download")).toBe("1");
});
