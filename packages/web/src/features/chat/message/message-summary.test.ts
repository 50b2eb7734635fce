import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { CONTENT_EXAMPLES } from "@parley/protocol/kind-examples";
import { toChatMessage } from "@parley/core/model/chats/chat-rows";
import { ME, localEcho, privateRow } from "@parley/core/testing/builders";
import { currentText, startLanguage } from "../../../kit/i18n/i18n.ts";
import { messageLabel, quoteSummary } from "./message-summary.ts";

const EXAMPLES: Readonly<Record<number, readonly unknown[]>> = CONTENT_EXAMPLES;
const labelOf = (type: number, content: unknown) => {
  const row = privateRow({ id: 1, type, content: JSON.stringify(content) });
  return messageLabel(toChatMessage(row, ME), currentText());
};

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  await startLanguage("en-US");
});
afterAll(() => vi.unstubAllGlobals());

describe("B21 a message in words", () => {
  test.each([
    [MessageType.IMAGE, "Picture, 1200 × 800"],
    [MessageType.FILE, "File Plan.pdf, 20.00 KB"],
    [MessageType.AUDIO, "Voice message, 12 seconds"],
    [MessageType.VIDEO, "Video, 1:15"],
  ])("of type %i", (type, label) => {
    expect(labelOf(type, EXAMPLES[type]?.[0])).toBe(label);
  });

  test("says only the kind of what is not known or cannot be read", () => {
    expect(labelOf(MessageType.VIDEO, EXAMPLES[MessageType.VIDEO]?.[1])).toBe("Video");
    expect(labelOf(MessageType.IMAGE, {})).toBe("[Image]");
    expect(labelOf(MessageType.FILE, { name: "a.txt" })).toBe("[File]");
  });

  test("knows a file that is being uploaded", () => {
    const upload = {
      name: "a.png",
      size: 2_048,
      mimeType: "image/png",
      width: 40,
      height: 30,
      duration: null,
      wave: null,
    };
    const of = (type: number) => messageLabel(localEcho("a", { type, content: "", upload }), currentText());
    expect(of(MessageType.IMAGE)).toBe("Picture, 40 × 30");
    expect(of(MessageType.FILE)).toBe("File a.png, 2.00 KB");
  });
});

test("B22 a quote has the name of a file and the length of a voice message", () => {
  const quote = (type: number) =>
    quoteSummary(
      { type, content: JSON.stringify(EXAMPLES[type]?.[0]), status: MessageStatus.SENDED },
      currentText(),
    );
  expect(quote(MessageType.FILE)).toBe("[File] Plan.pdf");
  expect(quote(MessageType.AUDIO)).toBe("[Voice message] 0:12");
  expect(quote(MessageType.IMAGE)).toBe("[Image]");
});
