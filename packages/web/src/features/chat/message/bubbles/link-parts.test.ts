import { describe, expect, it } from "vitest";
import { linksOf, splitLinks } from "./link-parts.ts";

const links = (text: string) => splitLinks(text).flatMap((part) => (part.kind === "link" ? [part.href] : []));

describe("links in a message", () => {
  it("keeps the whole text in order", () => {
    const text = "看 https://a.example/b?c=d，再写信给 me@b.example 吧";
    expect(
      splitLinks(text)
        .map((part) => part.text)
        .join(""),
    ).toBe(text);
  });

  it("finds a link between Chinese letters and punctuation", () => {
    expect(links("在https://a.example/doc里。谢谢")).toEqual(["https://a.example/doc"]);
    expect(links("打开example.com看看")).toEqual(["http://example.com"]);
    expect(links("（https://a.example/x）")).toEqual(["https://a.example/x"]);
  });

  it("adds the scheme to a bare host name and to an e-mail address", () => {
    expect(links("www.example.com me@example.com")).toEqual([
      "http://www.example.com",
      "mailto:me@example.com",
    ]);
  });

  it("leaves links with any other scheme as text", () => {
    expect(links("javascript:alert(1) ftp://a.example data:text/html,x file:///etc //a.example")).toEqual([]);
  });

  it("keeps a text without links in one part", () => {
    expect(splitLinks("<b>3.14</b>")).toEqual([{ kind: "text", text: "<b>3.14</b>" }]);
  });
});

describe("the links of a message", () => {
  it("B23 are those with a scheme or www., each once", () => {
    expect(linksOf("看www.example.com，https://a.example/x HTTPS://b.example www.example.com")).toEqual([
      "http://www.example.com",
      "https://a.example/x",
      "HTTPS://b.example",
    ]);
    expect(linksOf("example.com me@example.com http www. mailto:me@www.example.com")).toEqual([]);
  });
});
