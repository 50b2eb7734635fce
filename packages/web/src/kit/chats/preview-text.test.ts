import { describe, expect, test } from "vitest";
import type { Preview } from "@parley/core/model/state";
import type { Text } from "../i18n/i18n.ts";
import { previewText } from "./preview-text.ts";

const t: Text = (id, params) =>
  params === undefined ? `<${id}>` : `<${id} ${Object.values(params).join()}>`;
const preview = (key: Preview["key"], text: string): Preview => ({
  key,
  text,
  tip: null,
  sendId: 1,
  sending: null,
});

describe("the preview of a chat", () => {
  test("is the text itself for text and notices", () => {
    expect(previewText(preview("content", "你好"), t)).toBe("你好");
    expect(previewText(preview("notice", "维护"), t)).toBe("维护");
  });

  test("is a label for every other kind, with its details", () => {
    expect(previewText(preview("image", ""), t)).toBe("<preview.image>");
    expect(previewText(preview("voiceCall", "12:48"), t)).toBe("<preview.voiceCall> 12:48");
    expect(previewText(preview("transfer", "5"), t)).toBe("<preview.transfer 5>");
  });

  test("N141 names the person who sent a request, after the label", () => {
    expect(previewText(preview("friendApply", "林晓"), t)).toBe(
      "<preview.friendApply> <preview.friendApplyBy 林晓>",
    );
    expect(previewText(preview("groupApply", "林晓"), t)).toBe(
      "<preview.groupApply> <preview.groupApplyBy 林晓>",
    );
    expect(previewText(preview("friendApply", ""), t)).toBe("<preview.friendApply>");
  });

  test("says that a kind is unsupported, without its content", () => {
    expect(previewText(preview("unknown", '{"a":1}'), t)).toBe("<chat.unsupported>");
  });

  test("is empty for a chat without messages", () => {
    expect(previewText(null, t)).toBe("");
  });

  test("is the server's text for a tip that this client does not know", () => {
    const tip = { key: "from.tomorrow", params: {} };
    expect(previewText({ ...preview("content", "服务器的话"), tip }, t)).toBe("服务器的话");
  });
});
