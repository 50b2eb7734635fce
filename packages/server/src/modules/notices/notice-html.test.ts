import { describe, expect, test } from "vitest";
import { htmlOfText, plainTextOf, sanitizeNotice, webLink } from "./notice-html.ts";

const LINK = 'rel="noopener noreferrer nofollow" target="_blank"';

describe("sanitising", () => {
  test("allowed elements stay as they are", async () => {
    const html =
      "<h1>A</h1><p><b>b</b> <strong>s</strong> <i>i</i> <em>e</em> <u>u</u> <s>s</s><br />x</p>" +
      "<ul><li>1</li></ul><ol><li>2</li></ol><blockquote>q</blockquote><pre><code>c</code></pre><hr /><h2>2</h2><h3>3</h3>";
    expect(await sanitizeNotice(html)).toBe(html);
  });

  test("links open in a new tab without opener and referrer, whatever their own attributes say", async () => {
    expect(
      await sanitizeNotice('<a href="https://example.org/a?b=1&amp;c=2" target="_top" rel="opener">x</a>'),
    ).toBe(`<a href="https://example.org/a?b=1&amp;c=2" ${LINK}>x</a>`);
  });

  test.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "&#106;avascript:alert(1)",
    " javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "mailto:a@b.c",
    "//evil.example",
    "/home/chat",
    "#x",
    "",
  ])("the address %j is removed, and its text stays", async (href) => {
    expect(await sanitizeNotice(`<a href="${href}">x</a>`)).toBe("<a>x</a>");
  });

  test.each([
    ["<script>alert(1)</script>", ""],
    ["<p onclick=alert(1) style='position:fixed' class=x id=y>a</p>", "<p>a</p>"],
    ["<img src=x onerror=alert(1)>", ""],
    ["<svg><script>alert(1)</script></svg>", ""],
    ["<iframe src=https://example.org></iframe>a", "a"],
    ["<style>p{}</style>a", "a"],
    ["<form action=/x><button>b</button></form>", "b"],
    ["<p>open", "<p>open</p>"],
    ["a < b && c > d", "a &lt; b &amp;&amp; c &gt; d"],
    [
      "<a href='https://example.org/\"onmouseover=alert(1)'>x</a>",
      `<a href="https://example.org/%22onmouseover=alert(1)" ${LINK}>x</a>`,
    ],
    ["<!-- c --><![CDATA[<script>]]>", ""],
    ["<<script>alert(1)</script>", "&lt;"],
    ["<math><mtext></p><style><img src=x onerror=alert(1)></style></math>", "<p></p>"],
  ])("%j becomes %j", async (html, expected) => {
    expect(await sanitizeNotice(html)).toBe(expected);
  });

  test("sanitising a second time changes nothing", async () => {
    for (const html of ["<p>a<b>b<p>c", "&lt;script&gt;", "<a href='http://x.org/?a&b'>&amp;amp;</a>"]) {
      expect(await sanitizeNotice(await sanitizeNotice(html))).toBe(await sanitizeNotice(html));
    }
  });
});

describe("plain text", () => {
  test("becomes paragraphs and lines, and no markup", async () => {
    expect(htmlOfText("a <b>\r\nc & d\n\n \n\ne")).toBe("<p>a &lt;b&gt;<br />c &amp; d</p><p>e</p>");
    expect(htmlOfText(" \n ")).toBe("");
  });

  test("of HTML is one line of words", async () => {
    expect(
      plainTextOf(
        await sanitizeNotice("<h1>Hi</h1><p>a<b>b</b>c<br>d &amp;lt; &lt;e&gt;</p><ul><li>f</li></ul>"),
      ),
    ).toBe("Hi abc d &lt; <e> f");
    expect(plainTextOf(await sanitizeNotice(htmlOfText('1 < 2 & "3"')))).toBe('1 < 2 & "3"');
  });
});

describe("links", () => {
  test.each([
    ["https://example.org", "https://example.org/"],
    ["HTTP://EXAMPLE.org/a b", "http://example.org/a%20b"],
    ["ftp://example.org", undefined],
    ["javascript:alert(1)", undefined],
    ["example.org", undefined],
    [`https://example.org/${"a".repeat(2_000)}`, undefined],
  ])("the web link of %s is %s", (address, expected) => {
    expect(webLink(address)).toBe(expected);
  });
});
