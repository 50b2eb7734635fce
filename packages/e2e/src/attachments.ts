import { setTimeout as sleep } from "node:timers/promises";
import type { FileChooser, Locator, Page } from "@playwright/test";
import { MessageType } from "@parley/protocol/codes";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import type { Account } from "./api.ts";
import { expect } from "./fixtures.ts";
import type { Person } from "./person.ts";
import { createPng } from "./png.ts";

/** A file to choose. */
export interface FileToChoose {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** A picture to choose. */
export const png = (name: string, side = 40): FileToChoose => ({
  name,
  mimeType: "image/png",
  buffer: createPng(side),
});

/** A text file to choose. */
export const text = (name: string, content = name): FileToChoose => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(content),
});

/** Pastes a text as a menu does: without a key, and wherever the focus is. */
export async function pasteByMenu(page: Page, pasted: string): Promise<void> {
  await page.evaluate((content) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", content);
    const paste = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    (document.activeElement ?? document.body).dispatchEvent(paste);
  }, pasted);
}

/** The files that wait above the field. */
export function waiting(person: Person): Locator {
  return person.page.locator("[data-strip] [data-tile]");
}

/** Expects that files of these names wait, in this order. */
export async function expectWaiting(person: Person, names: readonly string[]): Promise<void> {
  await expect(waiting(person)).toHaveCount(names.length);
  await expect
    .poll(() => waiting(person).evaluateAll((tiles) => tiles.map((tile) => tile.getAttribute("aria-label"))))
    .toEqual(names.map((name) => expect.stringContaining(` ${name}`)));
}

/** As what the waiting files are sent, in their order: the first word of their labels. */
export function waitingKinds(person: Person): Promise<readonly (string | undefined)[]> {
  return waiting(person).evaluateAll((tiles) => tiles.map((tile) => tile.ariaLabel?.split(" ")[0]));
}

/** Chooses files through the browser's dialog, which an item of the menu opens. */
export async function choose(
  person: Person,
  item: string,
  files: Parameters<FileChooser["setFiles"]>[0],
): Promise<void> {
  const opened = person.page.waitForEvent("filechooser");
  await person.sendFromPlusMenu(item);
  await (await opened).setFiles(files);
}

/** Chooses files with a button beside the field, which windows of a phone's width do not have. */
export async function chooseWithButton(
  person: Person,
  label: "attach.pickPicture" | "attach.pickFile",
  files: Parameters<FileChooser["setFiles"]>[0],
): Promise<void> {
  const opened = person.page.waitForEvent("filechooser");
  await person.button(label).click();
  await (await opened).setFiles(files);
}

/** What the server has of a conversation of a test person, oldest first. Texts are as they are, contents of files JSON. */
export async function stored(account: Account): Promise<readonly { type: number; content: string }[]> {
  const rows = await account.call(ENDPOINTS.loadPrivateMessages, { query: { minId: 0 } });
  return rows
    .filter(({ type }) => type !== MessageType.TIP_TEXT)
    .map(({ type, content }) => ({ type, content: content ?? "" }));
}

/** Drags files or folders of this machine over the conversation and drops them on a zone. */
export function dropFiles(person: Person, zone: "picture" | "file", paths: readonly string[]) {
  const { page } = person;
  return dropFilesOn(
    person,
    page.locator(`[data-drop-zone="${zone}"][data-over]`),
    paths,
    page.getByRole("log"),
  );
}

/** Drags files or folders of this machine over an element, as a file manager does, and drops them on the target that then appears. */
export async function dropFilesOn(
  { page, context }: Person,
  target: Locator,
  paths: readonly string[],
  over: Locator,
): Promise<void> {
  const session = await context.newCDPSession(page);
  const drag = (type: "dragEnter" | "dragOver" | "drop", [x, y]: readonly [number, number]) =>
    session.send("Input.dispatchDragEvent", {
      type,
      x,
      y,
      data: { items: [], files: [...paths], dragOperationsMask: 1 },
    });
  let place = await middleOf(over);
  await drag("dragEnter", place);
  await drag("dragOver", place);
  // As browsers do: of a drag of which nothing is heard for 1.5 s the page believes that it has ended.
  let isHeld = true;
  const holding = (async () => {
    while (isHeld) {
      await sleep(200);
      await drag("dragOver", place);
    }
  })();
  // It is awaited below, after what is expected.
  holding.catch(() => undefined);
  try {
    await expect(target).toBeVisible();
    place = await middleOf(target);
    await expect(target).toHaveAttribute("data-over", "true");
  } finally {
    isHeld = false;
    await holding;
  }
  await drag("drop", place);
  await expect(target).toHaveCount(0);
  await session.detach();
}

async function middleOf(element: Locator): Promise<readonly [x: number, y: number]> {
  const box = await element.boundingBox();
  if (box === null) throw new Error("the element is not visible");
  return [box.x + box.width / 2, box.y + box.height / 2];
}
