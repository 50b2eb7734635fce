// Shows that the checks of the web client find planted faults.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ERROR_SENTENCES } from "@parley/protocol/errors";
import { colours } from "../checks/colours.ts";
import { locales } from "../checks/locales.ts";
import { sizeProblems } from "../checks/size.ts";
import { wording } from "../checks/wording.ts";
import { type Files, createTree, judge } from "./planted-tree.ts";

const ERRORS = "packages/protocol/src/errors.json";

describe("locale keys", () => {
  const at = (locale: string): string => `packages/web/src/locales/${locale}.json`;
  const catalogue = (title: string, unread: string, kind = "x"): string =>
    JSON.stringify({ "login.title": title, "chat.unread": unread, "kind.text": kind });
  const unread = "{count, plural, one {# message for {name}} other {# messages for {name}}}";
  const errors = (zhCN: string, zhTW: string): string =>
    JSON.stringify({
      "group.is": { "zh-CN": zhCN, "zh-TW": zhTW, en: "{name} is a group" },
      "server.error": { "zh-CN": "x" },
    });
  const USE = "packages/web/src/app/main.tsx";
  const KIND = 'declare const kind: "text";\n';
  const sound = {
    [at("zh-CN")]: catalogue("登录", "{name}：{count} 条"),
    [at("en-US")]: catalogue("Log in", unread),
    [at("zh-TW")]: catalogue("登入", "{name}：{count} 則"),
    [ERRORS]: errors("'{name}'是群组", "「{name}」是群組"),
    "packages/web/tsconfig.app.json": '{ "include": ["src"] }',
    [USE]: `${KIND}t("login.title"); t("chat.unread", { count, name }); t(\`kind.\${kind}\`); t("error.group.is");\n`,
  };

  test.each([
    [
      "a missing key",
      { [at("zh-TW")]: '{"login.title":"登入","kind.text":"x"}' },
      "zh-TW misses chat.unread",
    ],
    ["an empty text", { [at("en-US")]: catalogue(" ", unread) }, "en-US leaves login.title empty"],
    [
      "an extra key",
      { [at("en-US")]: `{"a.b":"c",${catalogue("Log in", unread).slice(1)}` },
      "en-US has a.b",
    ],
    [
      "a text of the administration among those that everybody loads",
      { [at("en-US")]: `{"admin.title":"c",${catalogue("Log in", unread).slice(1)}` },
      "en-US.json has admin.title; move it to packages/web/src/locales/admin/en-US.json",
    ],
    ["a missing placeholder", { [at("zh-TW")]: catalogue("登入", "{count} 則") }, "zh-TW inserts {count}"],
    ["an error without a sentence", { [ERRORS]: errors("{name}", "") }, "zh-TW leaves error.group.is empty"],
    [
      "an error without its parameter",
      { [ERRORS]: errors("{name}", "群組") },
      "zh-TW inserts {} in error.group.is",
    ],
    [
      "the key of an error that is shown in the words of the server",
      { [USE]: `${sound[USE]}t("error.server.error");\n` },
      "asks for error.server.error",
    ],
    ["a key that no catalogue has", { [USE]: `${sound[USE]}t("login.tilte");\n` }, "asks for login.tilte"],
    [
      "a key of the desktop application that no catalogue has",
      { "packages/desktop/src/main/menus.ts": 't("desktop.menu.quit");\n' },
      "asks for desktop.menu.quit",
    ],
    [
      "a key that nothing uses",
      { [USE]: `${KIND}t("login.title"); t(\`kind.\${kind}\`);\n` },
      "nothing uses chat.unread",
    ],
    [
      "a key that no value of a template produces",
      { [USE]: sound[USE].replace('"text"', '"image" | "video"') },
      "nothing uses kind.text",
    ],
    [
      "a template that inserts any string",
      { [USE]: sound[USE].replace('"text"', "string") },
      `${USE}:2 builds texts \`kind.\${…}\``,
    ],
  ])("refuse %s", async (_, planted: Files, message) => {
    const { before, after } = await judge(locales, sound, planted);
    expect(before).toEqual([]);
    expect(after).toContain(message);
  });
});

describe("wording", () => {
  const at = (locale: string): string => `packages/web/src/locales/${locale}.json`;
  const one = (text: string, key = "a.b"): string => JSON.stringify({ [key]: text });
  const TIPS = "packages/server/src/presenters/tip-sentences.ts";
  const sentences = (tw: string, en: string): string =>
    `{ "a.b": { "zh-CN": "您", "zh-TW": "${tw}", "en": "${en}" } }\n`;
  const tips = (tw: string, en: string): string => `export const TIPS = ${sentences(tw, en)}`;
  const sound = {
    [at("zh-CN")]: one("你在“{name}”群聊里"),
    [at("zh-TW")]: one("「{name}」收回了一則訊息"),
    [at("en-US")]: one("Enter your username…"),
    [ERRORS]: sentences("群組不存在", "There is no such group"),
    [TIPS]: tips("群組不存在", "There is no such group"),
  };

  test.each([
    ["a mainland word in zh-TW", at("zh-TW"), one("發送消息"), "zh-TW says 消息 in a.b; ours is 訊息"],
    ["a word that we do not use", at("zh-TW"), one("撤回訊息"), "zh-TW says 撤回 in a.b; ours is 收回"],
    ["an abbreviated word", at("zh-TW"), one("群公告"), "zh-TW says 群 in a.b; ours is 群組"],
    ["another language's quotes", at("zh-TW"), one("“{name}”"), "zh-TW says “ in a.b; ours is 「」"],
    [
      "a simplified character",
      at("zh-TW"),
      one("联絡人"),
      "zh-TW says 联 in a.b, which is not used in Taiwan",
    ],
    ["a formal form of address", at("zh-CN"), one("您已退出"), "zh-CN says 您 in a.b; ours is 你"],
    ["two words for one thing", at("zh-CN"), one("加入群组"), "zh-CN says 群组 in a.b; ours is 群聊"],
    ["a small first letter", at("en-US"), one("you left"), "en-US says y in a.b; ours is a capital first"],
    ["three dots", at("en-US"), one("Wait..."), "en-US says ... in a.b; ours is …"],
    [
      "a wrong Chinese word of an error",
      ERRORS,
      sentences("群聊不存在", "None"),
      `${ERRORS}, zh-TW, says 群聊 in a.b`,
    ],
    [
      "a wrong English word of an error",
      ERRORS,
      sentences("無", "Wrong user name"),
      `${ERRORS}, en, says user name in a.b`,
    ],
    ["a wrong Chinese word of a tip", TIPS, tips("群聊不存在", "None"), `${TIPS}, zh-TW, says 群聊 in a.b`],
    [
      "a wrong English word of a tip",
      TIPS,
      tips("無", "Wrong user name"),
      `${TIPS}, en, says user name in a.b`,
    ],
  ])("refuse %s", async (_, file, text, message) => {
    const { before, after } = await judge(wording, sound, { [file]: text });
    expect(before).toEqual([]);
    expect(after).toContain(message);
  });

  test("accept texts that the specification prescribes", async () => {
    const quoted = { [at("en-US")]: one("internal server error"), [at("zh-CN")]: one("您的账号已注销") };
    const parts = { [at("en-US")]: one("you", "names.you") };
    expect((await judge(wording, sound, quoted)).after).toBe("");
    expect((await judge(wording, sound, parts)).after).toBe("");
  });
});

describe("colours", () => {
  const CSS = "packages/web/src/ui/button.module.css";
  const TSX = "packages/web/src/ui/button.tsx";
  const sound = {
    "packages/web/src/ui/tokens.css": ":root { --red: #f00; --text: rgb(0 0 0 / 80%); }\n",
    [CSS]:
      "/* not #fff */\n#add:hover { color: var(--red); background: color-mix(in srgb, var(--text) 8%, transparent); }\n",
    [TSX]: 'export const Button = () => <a href="#top" className="red" color="currentColor" />;\n',
  };

  test.each([
    ["a hex colour", { [CSS]: "a { color: #ff8800; }\n" }, `${CSS}:1 writes the colour #ff8800`],
    ["a colour function", { [CSS]: "a {\n  color: rgb(1 2 3);\n}\n" }, `${CSS}:2 writes the colour rgb(`],
    ["a named colour", { [CSS]: "a { border: 1px solid tomato }\n" }, "writes the colour tomato"],
    [
      "a hex colour in a component",
      { [TSX]: 'export const a = <p style={{ top: "#fff" }} />;\n' },
      "the colour #fff",
    ],
    ["a named colour in a component", { [TSX]: 'export const a = <path fill="red" />;\n' }, "the colour red"],
  ])("refuse %s outside the tokens", async (_, planted: Files, message) => {
    const { before, after } = await judge(colours, sound, planted);
    expect(before).toEqual([]);
    expect(after).toContain(message);
  });
});

describe("the size budget", () => {
  /** Text that can hardly be compressed. */
  const bulk = (bytes: number): string => {
    let state = 1;
    return Array.from({ length: bytes }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return String.fromCharCode(33 + (state % 90));
    }).join("");
  };
  const built = (
    bytes: Partial<Record<"entry" | "head" | "chat" | "other" | "zh" | "en" | "desktop", number>>,
    styles = 0,
  ): string => {
    const css = Array.from({ length: styles }, (_, index) => `s${index}.css`);
    const manifest = {
      "index.html": { file: "entry.js", isEntry: true },
      "_shell-abc.js": { file: "chat.js", css, imports: ["_shared.js"] },
      "_shared.js": { file: "shared.js", imports: ["_base.js"] },
      "_base.js": { file: "base.js" },
      "src/locales/zh-CN.json?lingui": { file: "zh.js" },
      "src/locales/en-US.json?lingui": { file: "en.js" },
      "src/app/desktop-chunk.ts": { file: "desktop.js" },
    };
    const files: Files = {
      ".vite/manifest.json": JSON.stringify(manifest),
      "index.html": '<script src="/head.js"></script><script type="module" src="/entry.js"></script>',
      "head.js": "x",
    };
    for (const { file } of Object.values(manifest)) files[file] = "x";
    for (const name of css) files[name] = "x";
    for (const [name, count] of Object.entries(bytes)) files[`${name}.js`] = bulk(count);
    return createTree(files);
  };

  test("counts the texts of the largest language only", () => {
    const texts = { other: 340_000, zh: 60_000 };
    expect(sizeProblems(built({ ...texts, en: 60_000 })).join("\n")).not.toContain("all scripts");
    expect(sizeProblems(built({ ...texts, en: 320_000 })).join("\n")).toContain("all scripts");
  });

  test.each([
    ["login screen", { entry: 210_000 }, 0],
    ["login screen", { head: 210_000 }, 0],
    ["first chat screen", { chat: 440_000 }, 0],
    ["all scripts", { other: 680_000 }, 0],
    ["desktop application", { desktop: 30_000 }, 0],
    ["files for the first chat screen", {}, 11],
  ])("refuses too much: %s", (what, bytes, styles) => {
    expect(sizeProblems(built({ entry: 70_000, chat: 20_000 }, 3))).toEqual([]);
    expect(sizeProblems(built(bytes, styles)).join("\n")).toContain(`${what}: `);
  });

  test("refuses code of the administration in the first screens", () => {
    const dist = built({});
    writeFileSync(join(dist, "chat.js"), 'call("/admin/overview")');
    expect(sizeProblems(dist).join("\n")).toContain(
      "chat.js, which everybody loads, has code of the administration",
    );
  });

  test("refuses the sentences of errors in all languages", () => {
    const dist = built({});
    writeFileSync(join(dist, "other.js"), `const all = ${JSON.stringify(ERROR_SENTENCES)}`);
    expect(sizeProblems(dist).join("\n")).toContain("other.js has the sentences of errors in all languages");
  });

  test("refuses a build whose screens it cannot find", () => {
    expect(sizeProblems(createTree({ ".vite/manifest.json": "{}", "index.html": "" })).join("\n")).toContain(
      "cannot be measured",
    );
    expect(sizeProblems(createTree({})).join("\n")).toContain("was not built");
  });
});
