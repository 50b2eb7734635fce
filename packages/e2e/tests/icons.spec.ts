import { expect, test } from "../src/fixtures.ts";

/** The React element of a part of an icon. */
interface RenderedElement {
  readonly type: string;
  readonly props: Readonly<Record<string, unknown>> & {
    readonly children?: RenderedElement | readonly RenderedElement[];
  };
}

interface IconComponent {
  (props: { size: number }): RenderedElement;
  /** The paths of the icon, each with its own commands. */
  readonly paths: readonly string[];
}

const SIZES = [14, 16, 48];

function markup({ type, props: { children = [], ...props } }: RenderedElement): string {
  const attributes = Object.entries(props).map(([name, value]) => {
    const attribute =
      name === "viewBox" ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return ` ${attribute}="${String(value)}"`;
  });
  const inside = [children].flat().map(markup).join("");
  const namespace = type === "svg" ? ' xmlns="http://www.w3.org/2000/svg"' : "";
  return `<${type}${namespace}${attributes.join("")}>${inside}</${type}>`;
}

test("every icon renders like its paths drawn one by one", async ({ page }) => {
  // The end-to-end tests do not depend on the web package, so its source is imported at run time.
  const source = new URL("../../web/src/ui/icons.tsx", import.meta.url).href;
  const icons = Object.entries((await import(source)) as Record<string, IconComponent>);
  expect(icons.length).toBeGreaterThan(0);
  const pictures = icons.flatMap(([name, icon]) =>
    SIZES.map((size) => {
      const element = icon({ size });
      const singlePath = (d: string) =>
        markup({
          ...element,
          props: { ...element.props, children: { type: "path", props: { d } } },
        });
      return {
        name: `${name} ${size}`,
        size,
        whole: markup(element),
        parts: icon.paths.map(singlePath),
      };
    }),
  );
  const differences = await page.evaluate(async (all) => {
    const paint = async (size: number, layers: readonly string[]) => {
      const canvas = Object.assign(document.createElement("canvas"), { width: size, height: size });
      const context = canvas.getContext("2d", { willReadFrequently: true });
      if (context === null) throw new Error("the browser has no 2D canvas");
      for (const layer of layers) {
        const image = new Image();
        image.src = `data:image/svg+xml,${encodeURIComponent(layer)}`;
        await image.decode();
        context.drawImage(image, 0, 0);
      }
      return context.getImageData(0, 0, size, size).data;
    };
    const found: string[] = [];
    for (const { name, size, whole, parts } of all) {
      const [actual, expected] = [await paint(size, [whole]), await paint(size, parts)];
      // Where two lines meet, their antialiased edges add up a little differently.
      const differing = actual.filter((value, at) => Math.abs(value - (expected[at] ?? 0)) > 96).length;
      if (differing > 0 || actual.every((value) => value === 0)) {
        found.push(`${name}: ${differing} values differ`);
      }
    }
    return found;
  }, pictures);
  expect(differences).toEqual([]);
});
