import { expect, test } from "vitest";
import type { PendingUpload } from "@parley/core/model/state";
import { localEcho } from "@parley/core/testing/builders";
import { isFileLost } from "./media-files.ts";

const UPLOAD: PendingUpload = {
  name: "campsite.png",
  size: 5,
  mimeType: "image/png",
  width: 30,
  height: 20,
  duration: null,
  wave: null,
};
const chats = {
  localFile: (tmpId: string) => (tmpId === "here" ? { file: new Blob(), cover: null } : undefined),
};

test("B12 a file is lost that was not uploaded and is no longer in this page", () => {
  const isLost = (tmpId: string, upload: PendingUpload | null) =>
    isFileLost({ chats }, localEcho(tmpId, { upload }));
  expect(isLost("after a reload", UPLOAD)).toBe(true);
  expect(isLost("here", UPLOAD)).toBe(false);
  expect(isLost("uploaded", null)).toBe(false);
});
