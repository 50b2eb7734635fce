import { expect, test } from "../src/fixtures.ts";

/** What React makes of a piece of a drawing. */
interface RenderedElement {
  readonly type: string;
  readonly props: Readonly<Record<string, unknown>> & {
    readonly children?: RenderedElement | readonly RenderedElement[];
  };
}

interface IconComponent {
  (props: { size: number }): RenderedElement;
  /** What it is put together from, each drawn by itself. */
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
  // The face is no part of what these tests are built on: its source is asked at run time.
  const source = new URL("../../web/src/ui/icons.tsx", import.meta.url).href;
  const glyphs = Object.entries((await import(source)) as Record<string, IconComponent>);
  expect(glyphs.length).toBeGreaterThan(0);
  const pictures = glyphs.flatMap(([name, iconComponent]) =>
    SIZES.map((size) => {
      const renderedElement = iconComponent({ size });
      const alone = (d: string) =>
        markup({
          ...renderedElement,
          props: { ...renderedElement.props, children: { type: "path", props: { d } } },
        });
      return {
        name: `${name} ${size}`,
        size,
        whole: markup(renderedElement),
        parts: iconComponent.paths.map(alone),
      };
    }),
  );
  const wrong = await page.evaluate(async (all) => {
    const paint = async (size: number, layers: readonly string[]) => {
      const canvas = Object.assign(document.createElement("canvas"), { width: size, height: size });
      const context = canvas.getContext("2d", { willReadFrequently: true });
      if (context === null) throw new Error("no canvas");
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
      const [one, other] = [await paint(size, [whole]), await paint(size, parts)];
      // Where two lines meet, their soft edges add up a little differently.
      const differs = one.filter((value, at) => Math.abs(value - (other[at] ?? 0)) > 96).length;
      if (differs > 0 || one.every((value) => value === 0)) found.push(`${name}: ${differs} pixels differ`);
    }
    return found;
  }, pictures);
  expect(wrong).toEqual([]);
});
