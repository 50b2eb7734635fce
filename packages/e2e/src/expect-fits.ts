import { expect } from "@playwright/test";
import type { Person } from "./person.ts";
import { catalogueOf, type Language, LANGUAGES } from "./product-texts.ts";

const KEYS = Object.keys(catalogueOf("en-US"));

/** Texts of other languages that do not exist in this one. Short ones are left out: a name or a word of a message may equal them. */
function foreignTexts(language: Language): string[] {
  const own = new Set(Object.values(catalogueOf(language)));
  const others = LANGUAGES.filter((other) => other !== language);
  const texts = others.flatMap((other) => Object.values(catalogueOf(other)));
  return [...new Set(texts)].filter((text) => text.length > 1 && !own.has(text) && !text.includes("{"));
}

const foreignTextsByLanguage = new Map(
  LANGUAGES.map((language) => [language, foreignTexts(language)] as const),
);

/**
 * Checks the current screen at its current size: nothing is wider than the window, no text is cut off or outside of it, and no text is a key or
 * in another language.
 */
export async function expectFits({ page, options }: Person, screen: string): Promise<void> {
  const faults = await page.evaluate(findFaults, {
    keys: KEYS,
    foreign: foreignTextsByLanguage.get(options.language) ?? [],
  });
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  expect.soft(faults, `${screen}, ${options.language}, ${width} x ${height}`).toEqual([]);
}

/** Runs in the page. */
function findFaults({ keys, foreign }: { keys: readonly string[]; foreign: readonly string[] }): string[] {
  const faults: string[] = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    faults.push(`the page is ${root.scrollWidth - root.clientWidth} px wider than the window`);
  }
  const keySet = new Set(keys);
  const foreignSet = new Set(foreign);

  /** Whether an element cuts off what is beyond its edges and does not let people scroll to it. */
  const cutsOff = (style: CSSStyleDeclaration, axis: "overflowX" | "overflowY") =>
    style[axis] === "hidden" || style[axis] === "clip";

  const checkText = (node: Text, parent: Element): void => {
    const words = (node.textContent ?? "").trim();
    if (words === "" || !parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return;
    if (parent.closest(".visually-hidden, [inert]") !== null) return;
    if (keySet.has(words)) faults.push(`"${words}" is a key`);
    // People may write in any language.
    const isProductText = parent.closest("[data-bubble], bdi, input, textarea, [lang]:not(html)") === null;
    if (isProductText && foreignSet.has(words)) faults.push(`"${words}" is in another language`);
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width === 0) return;
    let canScroll = false;
    for (let element: Element | null = parent; element !== null; element = element.parentElement) {
      const style = getComputedStyle(element);
      const edge = element.getBoundingClientRect();
      if (style.overflowX === "auto" || style.overflowX === "scroll") canScroll = true;
      const isShortened = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
      if (isShortened || canScroll) return;
      if (cutsOff(style, "overflowX") && (box.right > edge.right + 1 || box.left < edge.left - 1)) {
        // A photo's or a picker's own window may be smaller than what lies under it.
        if (edge.width > 1)
          faults.push(`"${words.slice(0, 40)}" is cut off by ${element.className || element.tagName}`);
        return;
      }
      if (style.position === "fixed") break;
    }
    if (box.left < -1 || box.right > innerWidth + 1)
      faults.push(`"${words.slice(0, 40)}" is outside the window`);
  };

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text && node.parentElement !== null) checkText(node, node.parentElement);
  }
  return [...new Set(faults)];
}

/** Things that people press. Elements inside one of them belong to it. */
const PRESSABLE =
  'button, a[href], input, select, textarea, summary, [role="option"], [role="tab"], [role="menuitem"], [role="menuitemradio"], [role="switch"], [role="checkbox"]';

/** Checks that a finger hits everything that can be pressed: 22 px around its middle there is nothing else to press. */
export async function expectTouchable({ page }: Person, screen: string): Promise<void> {
  const small = await page.evaluate(findSmallTargets, PRESSABLE);
  expect.soft(small, `${screen}: too small for a finger`).toEqual([]);
}

/** Runs in the page. Each target is 44 px in both directions, or the places 21 px from its middle belong to it or to nothing. */
function findSmallTargets(pressable: string): string[] {
  const small: string[] = [];
  for (const target of document.querySelectorAll(pressable)) {
    if (!(target instanceof HTMLElement) || target.parentElement?.closest(pressable)) continue;
    // A link in a sentence is as high as its line (WCAG 2.5.8); a field that only a label or a button of its own shows is no target.
    if (target.closest("p, [data-bubble], .visually-hidden") !== null || target.closest("[inert]") !== null)
      continue;
    if (!target.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const zone = target.closest("label") ?? target;
    const box = zone.getBoundingClientRect();
    if (box.width >= 43.5 && box.height >= 43.5) continue;
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const isInView = middle.x > 0 && middle.y > 0 && middle.x < innerWidth && middle.y < innerHeight;
    if (box.width < 2 || !isInView) continue;
    // Something may lie above it, such as a dialog.
    const onTop = document.elementFromPoint(middle.x, middle.y);
    if (onTop === null || !(zone.contains(onTop) || onTop.contains(zone))) continue;
    const around = [
      [middle.x - 21, middle.y],
      [middle.x + 21, middle.y],
      [middle.x, middle.y - 21],
      [middle.x, middle.y + 21],
    ] as const;
    const foreign = around.find(([x, y]) => {
      const other = document.elementFromPoint(x, y)?.closest(pressable) ?? null;
      return other !== null && !zone.contains(other) && !other.contains(zone);
    });
    if (foreign === undefined) continue;
    small.push(
      `${target.ariaLabel ?? target.textContent.trim().slice(0, 30)}: ${Math.round(box.width)} x ${Math.round(box.height)}`,
    );
  }
  return [...new Set(small)];
}
