import { withinTime } from "./time-limit.ts";

/** Content that another app shares, on its way from the service worker, which receives it, to the page, which is loaded after it. */

/** A cache of the browser, because it can store files, and both sides have it. */
const CACHE = "parley-shared";
const DESCRIPTION = "/shared/description";
/** The form fields that `manifest.webmanifest` names. */
const TEXTS = ["title", "text", "url"] as const;
const FILES = "files";
/** A person who does not choose a chat within this time has given up. */
const VALID_MS = 3_600_000;

/** A browser may leave a cache without an answer. Reading large files takes some seconds. */
const LIMIT_MS = 20_000;

/** What another app shares. */
export interface SharedContent {
  readonly text: string;
  readonly files: readonly File[];
}

interface Description {
  readonly at: number;
  readonly text: string;
  readonly files: readonly { readonly name: string; readonly type: string }[];
}

const fileUrl = (index: number) => `/shared/${index}`;

/** One text of title, text and address, each on its own line and none twice. Apps differ in where they put an address. */
export function sharedText(parts: readonly string[]): string {
  const lines: string[] = [];
  for (const part of parts.map((text) => text.trim()))
    if (part !== "" && !lines.some((line) => line.includes(part))) lines.push(part);
  return lines.filter((line, i) => !lines.some((other, k) => k > i && other.includes(line))).join("\n");
}

/** Stores the form of an app that shares; it replaces what nobody took. */
export async function storeSharedContent(form: FormData, now: number): Promise<void> {
  const text = sharedText(
    TEXTS.map((name) => {
      const value = form.get(name);
      return typeof value === "string" ? value : "";
    }),
  );
  const files = form.getAll(FILES).filter((value) => value instanceof File);
  const description: Description = {
    at: now,
    text,
    files: files.map(({ name, type }) => ({ name, type })),
  };
  await caches.delete(CACHE);
  const cache = await caches.open(CACHE);
  for (const [index, file] of files.entries()) await cache.put(fileUrl(index), new Response(file));
  // At last: what is described is complete.
  await cache.put(DESCRIPTION, Response.json(description));
}

/** Whether another app has shared something. */
export async function hasSharedContent(): Promise<boolean> {
  // Plain http has no caches, and no service worker either.
  return "caches" in globalThis && withinTime(caches.has(CACHE), LIMIT_MS, () => false);
}

/** What another app has shared, once; null: nothing, too long ago, or the browser does not give it back. */
export function takeSharedContent(now: number): Promise<SharedContent | null> {
  return withinTime(readAndDrop(now), LIMIT_MS, () => null);
}

async function readAndDrop(now: number): Promise<SharedContent | null> {
  const cache = await caches.open(CACHE);
  const stored = await cache.match(DESCRIPTION);
  const description = (await stored?.json()) as Description | undefined;
  let content: SharedContent | null = null;
  if (description !== undefined && now - description.at < VALID_MS) {
    const files: File[] = [];
    for (const [index, { name, type }] of description.files.entries()) {
      const bytes = await (await cache.match(fileUrl(index)))?.blob();
      if (bytes !== undefined) files.push(new File([bytes], name, { type }));
    }
    content = { text: description.text, files };
  }
  await dropSharedContent();
  return content;
}

/** Forgets what another app has shared. */
export async function dropSharedContent(): Promise<void> {
  await caches.delete(CACHE);
}
