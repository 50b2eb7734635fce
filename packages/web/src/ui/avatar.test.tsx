import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Avatar } from "./avatar.tsx";
import type { AvatarProps } from "./avatar.tsx";

const markupOf = (props: Partial<AvatarProps>) =>
  renderToStaticMarkup(<Avatar name="林晓晓" id={1} {...props} />);

test("an avatar shows its picture and no initials", () => {
  const markup = markupOf({ url: "/a.png" });
  expect(markup).toContain('src="/a.png"');
  expect(markup).not.toContain("data-initials");
});

test.each([undefined, null, ""])("without a picture (%j) it shows the initials", (url) => {
  const markup = markupOf({ url });
  expect(markup).toContain('data-initials="晓晓"');
  expect(markup).not.toContain("<img");
});

test("the initials of a group are its first characters", () => {
  expect(markupOf({ shape: "rounded" })).toContain('data-initials="林晓"');
});

test("an icon replaces the initials and not the picture", () => {
  const icon = <i />;
  expect(markupOf({ icon })).toMatch(/<i>(?!.*data-initials)/);
  expect(markupOf({ icon, url: "/a.png" })).not.toContain("<i>");
});

test("screen readers skip an avatar, because the name is beside it", () => {
  expect(markupOf({})).toContain('aria-hidden="true"');
});
