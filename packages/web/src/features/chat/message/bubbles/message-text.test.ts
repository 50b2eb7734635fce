import { describe, expect, test } from "vitest";
import { isEmojiOnly } from "./message-text.tsx";

describe("M135 a text of only one to three emoticons or emoji is shown large", () => {
  test.each([
    "#开心;",
    "#开心; #起跳;\n#憨笑;",
    "😀",
    "😀😀😀",
    " 😀 #开心; 👍🏽 ",
    "👩‍👩‍👧‍👦🏳️‍🌈🇨🇳",
    "❤️1️⃣🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "👨🏿‍❤️‍💋‍👨🏿👨🏿‍❤️‍💋‍👨🏿👨🏿‍❤️‍💋‍👨🏿",
  ])("%j", (text) => expect(isEmojiOnly(text)).toBe(true));

  test.each([
    "",
    "  ",
    "1",
    "#",
    "©",
    "好😀",
    "😀.",
    "😀😀😀😀",
    "#开心;😀😀#起跳;",
    "#不知;",
    "`😀`",
    "🇨",
    "😀".repeat(1_000),
  ])("not %j", (text) => expect(isEmojiOnly(text)).toBe(false));
});
