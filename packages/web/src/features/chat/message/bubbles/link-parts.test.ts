import { describe, expect, test } from "vitest";
import { linksOf, splitLinks } from "./link-parts.ts";

const links = (text: string) => splitLinks(text).flatMap((part) => (part.kind === "link" ? [part.href] : []));

describe("M139 links in a message", () => {
  test("keeps the whole text in order", () => {
    const text = "看 https://a.example/b?c=d，再写信给 me@b.example 吧";
    expect(
      splitLinks(text)
        .map((part) => part.text)
        .join(""),
    ).toBe(text);
  });

  test("finds a link between Chinese letters and punctuation", () => {
    expect(links("在https://a.example/doc里。谢谢")).toEqual(["https://a.example/doc"]);
    expect(links("打开example.com看看")).toEqual(["http://example.com"]);
    expect(links("（https://a.example/x）")).toEqual(["https://a.example/x"]);
  });

  test("adds the scheme to a bare host name and to an e-mail address", () => {
    expect(links("www.example.com me@example.com")).toEqual([
      "http://www.example.com",
      "mailto:me@example.com",
    ]);
  });

  test("leaves links with any other scheme as text", () => {
    expect(links("javascript:alert(1) ftp://a.example data:text/html,x file:///etc //a.example")).toEqual([]);
  });

  test.each([
    ["https://foo:bar@example.com/foobar"],
    ["git clone https://oauth2:tok-en_1@git.example.com/team/repo.git"],
    ["http://user@www.example.com/x"],
    ["https://foo:b;r@example.com/x"],
    ["https://user：pw@www.example.com"],
    ["https://a:p%40ss@example.com:8443/x?y=z#f"],
    ["http://user:pw@1.2.3.4/x"],
    ["http://www.a.example@www.b.example/x"],
    ["https://medium.com/@author/title-123"],
    ["http://[::1]:3000/x"],
    ["https://münchen.de/"],
    ["http://1.2.3.4:80/x"],
    ["http://localhost:3000/x"],
  ])("links the whole address of %j", (text) => {
    expect(links(text)).toEqual([text.replace("git clone ", "")]);
  });

  test.each([
    ["see (https://ex.com/a_(b)_c) ok", ["https://ex.com/a_(b)_c"]],
    ["「https://ex.com/x」", ["https://ex.com/x"]],
    ["https://ex.com/x'!", ["https://ex.com/x"]],
    ["看https://ex.com，@小明", ["https://ex.com"]],
    ["https://ex.com看看@小明", ["https://ex.com"]],
    ["https://ex.com。联系a@b.com", ["https://ex.com", "mailto:a@b.com"]],
    ["https://a.com和www.b.com", ["https://a.com", "http://www.b.com"]],
    ["https://ex.com: see there", ["https://ex.com"]],
    ["mail a@b.com or https://b.com", ["mailto:a@b.com", "https://b.com"]],
    ["http://localhost看看", ["http://localhost"]],
  ])("links in %j only what is a whole address", (text, expected) => {
    expect(links(text)).toEqual(expected);
  });

  test.each([
    `https://oauth2:${"t".repeat(90)}@git.example.com/x`,
    "看http://user@例.com/x吧",
    "https://用户:密码@example.com/x",
    "https://foo:b中r@example.com/x",
    "https://foo中bar.com/x",
    "http://中www.b.com",
    "https://www.例え.jp/x",
    "https://foo-例.jp/x",
    "https://example.com@例.com/",
    "https://user:p[a]ss@example.com/",
    "https://user:p(a)ss@example.com/x",
    "https://foo:bar@baz@example.com/x",
    "git@github.com:team/repo.git",
    "ftp://user@www.example.com/x",
    "javascript:alert(1)//www.evil.com",
  ])("makes no link to a part of an address: %j", (text) => {
    expect(links(text)).toEqual([]);
    expect(splitLinks(text)).toEqual([{ kind: "text", text }]);
  });

  test("keeps a text without links in one part", () => {
    expect(splitLinks("<b>3.14</b>")).toEqual([{ kind: "text", text: "<b>3.14</b>" }]);
  });
});

describe("the links of a message", () => {
  test("B23 are those with a scheme or www., each once", () => {
    expect(linksOf("看www.example.com，https://a.example/x HTTPS://b.example www.example.com")).toEqual([
      "http://www.example.com",
      "https://a.example/x",
      "HTTPS://b.example",
    ]);
    expect(linksOf("example.com me@example.com http www. mailto:me@www.example.com")).toEqual([]);
  });
});
