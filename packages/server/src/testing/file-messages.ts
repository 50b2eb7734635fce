/** Messages with files, and what becomes of their files. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import type { ImageUpload } from "@parley/protocol/entities";
import type { TestApp } from "./test-app.ts";
import type { TestPerson } from "./test-person.ts";
import { eventually } from "./eventually.ts";

const { IMAGE, FILE, AUDIO, VIDEO } = MessageType;

type Content = object | string;
const json = (content: Content) => (typeof content === "string" ? content : JSON.stringify(content));

/** The input of `sendPrivateMessage`. */
export const toPerson = (to: TestPerson, type: number, content: Content, more: object = {}) => ({
  body: { recvId: to.id, type, content: json(content), ...more },
});

/** The input of `sendGroupMessage`. */
export const toGroup = (groupId: number, type: number, content: Content, more: object = {}) => ({
  body: { groupId, type, content: json(content), ...more },
});

/** The content of a picture without what is optional. */
export const imageOf = ({ originUrl, thumbUrl, width, height }: ImageUpload) => ({
  originUrl,
  thumbUrl,
  width,
  height,
});

export const urlsOf = (image: ImageUpload) => [image.originUrl, image.thumbUrl];

/** Contents of every kind with files, of the same picture. */
export const contentsOf = ({ originUrl, thumbUrl }: ImageUpload): readonly (readonly [number, object])[] => [
  [IMAGE, { originUrl, thumbUrl, width: 30, height: 20 }],
  [FILE, { name: "Plan.pdf", size: 20_480, url: originUrl }],
  [AUDIO, { duration: 12, url: originUrl }],
  [VIDEO, { videoUrl: originUrl, coverUrl: thumbUrl, width: 30, height: 20 }],
];

/** The statuses with which the server answers requests for these files. */
export const statusesOf = (files: readonly string[], { url: server }: TestApp) =>
  Promise.all(files.map(async (url) => (await fetch(`${server}${url}`)).status));

/** Waits until the bytes and rows of the files are deleted. */
export const expectDeleted = (files: readonly string[], { app, dataDir }: TestApp) =>
  eventually(async () => {
    for (const url of files) expect([url, await app.store.findFile(url)]).toEqual([url, undefined]);
    expect(files.filter((url) => existsSync(join(dataDir, url)))).toEqual([]);
  });
