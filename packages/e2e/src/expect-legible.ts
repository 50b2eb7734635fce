import { expect } from "@playwright/test";
import type { Person } from "./person.ts";

/** A size of the window and the font size that the browser's settings ask for, 16 px at first. */
export interface TextWindow {
  readonly width: number;
  readonly height: number;
  readonly fontPx: number;
}

/** Windows with less room for letters than this have the layout of phones, as the page says. */
const WIDE_EM = 48;

/**
 * Changes the window and the default font size of the browser, which media queries in em see as well. In between, the layout is not another
 * one than before and after: the settings of a wide window are no page, so the page of a phone would be left.
 */
export async function setTextWindow(person: Person, { width, height, fontPx }: TextWindow): Promise<void> {
  const isWide = width >= WIDE_EM * fontPx;
  const isFontFirst = (person.page.viewportSize()?.width ?? width) >= WIDE_EM * fontPx === isWide;
  if (isFontFirst) await person.setFontSize(fontPx);
  await person.page.setViewportSize({ width, height: height - 1 });
  await person.setFontSize(fontPx);
  // The page hears of other results of its media queries only when the window changes as well.
  await person.page.setViewportSize({ width, height });
}

/**
 * Checks that the current screen has room for its words: no control cuts its text, nothing leaves its container or the window where people
 * cannot scroll to it, nothing covers a text, and a shortened text keeps several letters.
 */
export async function expectLegible({ page, options }: Person, screen: string): Promise<void> {
  const faults = await page.evaluate(findFaults);
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const font = await page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
  expect.soft(faults, `${screen}, ${options.language}, ${width} x ${height}, text of ${font}`).toEqual([]);
}

/** Runs in the page, after a frame: what has grown since then pushes its neighbours away only before the next one is painted. */
async function findFaults(): Promise<string[]> {
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const CONTROLS =
    'button, a[href], input, select, textarea, summary, label, [role="option"], [role="tab"], [role="menuitem"], [role="menuitemradio"], [role="switch"]';
  const LAYERS = '[role="dialog"], [role="alertdialog"], [role="menu"], [data-sheet], [data-layer]';
  const SLACK_PX = 2;
  const faults = new Set<string>();
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth)
    faults.add(`the page is ${root.scrollWidth - root.clientWidth} px wider than the window`);

  const scrolls = (value: string) => value === "auto" || value === "scroll";
  const cuts = (value: string) => value === "hidden" || value === "clip";
  const nameOf = (element: Element) =>
    `${element.tagName.toLowerCase()}.${[...element.classList].join(".").replaceAll("_", "")}`;
  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.closest('.visually-hidden, [inert], [data-yields], [class*="skip"]') === null;

  /** Follows the edges around a box outwards, to where somebody can scroll. */
  const checkEdges = (what: string, box: DOMRect, start: Element, isControl: boolean): void => {
    let [freeX, freeY] = [false, false];
    let isPlaced = false;
    for (let element: Element | null = start; element !== null; element = element.parentElement) {
      const style = getComputedStyle(element);
      const edge = element.getBoundingClientRect();
      const isLine = style.display === "inline" || style.display === "contents";
      freeX ||= scrolls(style.overflowX) || (element !== start && style.textOverflow === "ellipsis");
      freeY ||= scrolls(style.overflowY);
      if (!isLine && edge.width > 1) {
        const outX = Math.max(box.right - edge.right, edge.left - box.left);
        const outY = Math.max(box.bottom - edge.bottom, edge.top - box.top);
        const slackX = isControl && !cuts(style.overflowX) ? 14 : SLACK_PX;
        if (!freeX && !isPlaced && outX > slackX && (isControl || cuts(style.overflowX)))
          return void faults.add(`${what} is beside ${nameOf(element)}`);
        if (!freeY && outY > SLACK_PX && cuts(style.overflowY))
          return void faults.add(`${what} is above or below ${nameOf(element)}`);
      }
      isPlaced ||= style.position === "absolute" || style.position === "fixed";
      if (style.position === "fixed") break;
      if (freeX && freeY) break;
    }
    if (!freeX && (box.left < -1 || box.right > innerWidth + 1)) faults.add(`${what} is beside the window`);
    if (!freeY && (box.top < -1 || box.bottom > innerHeight + 1))
      faults.add(`${what} is above or below the window`);
  };

  // Elements behind a dialog, a menu or a panel that lies over the conversation are a screen of their own.
  const shown =
    [...document.querySelectorAll('[role="dialog"], [role="alertdialog"], [role="menu"]')].at(-1) ??
    document.querySelector('[class*="scrim"] + aside') ??
    document.body;
  const walker = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    const words = (node.textContent ?? "").trim();
    if (parent === null || words === "" || !isShown(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width === 0) continue;
    const what = `"${words.slice(0, 30)}"`;
    const shortened = [parent, parent.parentElement].some(
      (element) => element !== null && getComputedStyle(element).textOverflow === "ellipsis",
    );
    const isClamped =
      parent.closest("[data-bubble], textarea") !== null ||
      getComputedStyle(parent).webkitLineClamp !== "none";
    if (!shortened && !isClamped) checkEdges(what, box, parent, false);
    const control = parent.closest(CONTROLS);
    // A badge stands on the corner of its control on purpose.
    const isOnCorner = getComputedStyle(parent).position === "absolute";
    if (control !== null && !shortened && !isClamped && !isOnCorner) {
      const edge = control.getBoundingClientRect();
      const out = Math.max(
        box.right - edge.right,
        edge.left - box.left,
        box.bottom - edge.bottom,
        edge.top - box.top,
      );
      if (
        getComputedStyle(control).display !== "inline" &&
        out > SLACK_PX &&
        !scrolls(getComputedStyle(control).overflowX)
      )
        faults.add(`${what} is ${Math.round(out)} px outside of its control`);
    }
    for (const line of range.getClientRects()) {
      const [x, y] = [line.x + line.width / 2, line.y + line.height / 2];
      if (line.width < 4 || x < 0 || y < 0 || x >= innerWidth || y >= innerHeight || shortened) continue;
      const top = document.elementFromPoint(x, y);
      if (top === null || top.contains(parent) || parent.contains(top)) continue;
      // Scrims, lists of suggestions and the pill of the day lie above what is there on purpose, and so does the time on a picture.
      if (
        top.closest(
          '[class*="scrim"], [class*="opover"], [class*="day"], [class*="overTitle"], [class*="opener"], [data-picture]',
        ) !== null
      )
        continue;
      if (top.closest(LAYERS) !== parent.closest(LAYERS) || top.closest("[data-toasts]") !== null) continue;
      const around: Element = parent.closest(CONTROLS) ?? parent;
      if (around.contains(top) || top.tagName === "LABEL" || top.closest("label")?.contains(parent) === true)
        continue;
      // What scrolls may lie behind what is fixed.
      let clipped = false;
      for (let element: Element | null = parent; element !== null; element = element.parentElement) {
        const style = getComputedStyle(element);
        if (
          !scrolls(style.overflowY) &&
          !cuts(style.overflowY) &&
          !cuts(style.overflowX) &&
          !scrolls(style.overflowX)
        )
          continue;
        const edge = element.getBoundingClientRect();
        if (x < edge.left || x > edge.right || y < edge.top || y > edge.bottom) clipped = true;
      }
      if (!clipped && getComputedStyle(top).pointerEvents !== "none")
        faults.add(`${what} is covered by ${nameOf(top)}`);
    }
  }
  for (const element of shown.querySelectorAll(CONTROLS)) {
    if (!isShown(element)) continue;
    const box = element.getBoundingClientRect();
    if (box.width < 2 || element.parentElement === null || getComputedStyle(element).display === "inline")
      continue;
    const label = element.ariaLabel ?? element.textContent.trim().slice(0, 20);
    checkEdges(`${nameOf(element)} "${label}"`, box, element.parentElement, true);
  }
  for (const element of shown.querySelectorAll("*")) {
    const style = getComputedStyle(element);
    // A row of tabs, of files and of code scrolls to the sides, nothing else.
    if (
      scrolls(style.overflowX) &&
      element.scrollWidth > element.clientWidth + 1 &&
      isShown(element) &&
      element.closest('[role="tablist"], textarea, pre, code, [data-strip]') === null
    )
      faults.add(
        `${nameOf(element)} scrolls to the sides by ${element.scrollWidth - element.clientWidth} px`,
      );
    if (style.textOverflow !== "ellipsis" || !isShown(element) || element.tagName === "INPUT") continue;
    const letters = element.clientWidth / Number.parseFloat(style.fontSize);
    const words = element.textContent.trim();
    if (
      words !== "" &&
      element.scrollWidth > element.clientWidth + 1 &&
      letters < 2.9 &&
      element.closest("[title]") === null
    )
      faults.add(`"${words.slice(0, 30)}" has room for ${letters.toFixed(1)} em only: ${nameOf(element)}`);
  }
  return [...faults];
}
