import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import styles from "./layout.module.css";
import { Box, Row, Text } from "./layout.tsx";

const tagOf = (element: ReactElement) => /<[^>]*>/.exec(renderToStaticMarkup(element))?.[0];

test("a layout component renders one element, with a class for each of its own properties", () => {
  const element = (
    <Row as="ul" gap={8} wrap className="particular" aria-label="Friends" data-count={2}>
      <li>Bo</li>
    </Row>
  );
  const classes = ["row", "gap-8", "wrap-true"].map((name) => styles[name] ?? "missing");
  expect(renderToStaticMarkup(element)).toBe(
    `<ul aria-label="Friends" data-count="2" class="${classes.join(" ")} particular"><li>Bo</li></ul>`,
  );
});

test("a layout component renders another component and gives it the properties that are not its own", () => {
  const Place = ({ to, className }: { to: string; className?: string }) => (
    <span data-to={to} className={className} />
  );
  expect(tagOf(<Text as={Place} to="/home" truncate />)).toBe(
    `<span data-to="/home" class="${styles["truncate-true"]}">`,
  );
});

test("a property that is undefined adds no class", () => {
  expect(tagOf(<Box padding={undefined} />)).toBe("<div>");
});
