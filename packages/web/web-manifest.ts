import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** Returns a text of one language. */
export type ManifestText = (id: string) => string;

/** The languages of the client, each with the function that returns its texts. */
export function manifestTexts(webFolder: string): ReadonlyMap<string, ManifestText> {
  const folder = join(webFolder, "src/locales");
  return new Map(
    jsonFilesIn(folder).map((file): [string, ManifestText] => {
      const texts = JSON.parse(readFileSync(join(folder, file), "utf8")) as Record<string, string>;
      const text: ManifestText = (id) => {
        const found = texts[id];
        if (found === undefined) throw new Error(`${file} has no text ${id}`);
        return found;
      };
      return [file.replace(/\.json$/, ""), text];
    }),
  );
}

function jsonFilesIn(folder: string): string[] {
  return readdirSync(folder).filter((file) => file.endsWith(".json"));
}

function picture(name: string, size: string, purpose?: string) {
  return {
    src: `/${name}`,
    sizes: size,
    type: "image/png",
    ...(purpose !== undefined && { purpose }),
  };
}

function shortcut(name: string, url: string) {
  return { name, url, icons: [picture("icons/icon-192.png", "192x192")] };
}

/** What the browser needs to install the page, with the texts of one language. The `id` is the same in all: it is one app. */
export function webManifest(lang: string, t: ManifestText) {
  return {
    id: "/",
    name: t("app.name"),
    short_name: t("app.name"),
    description: t("manifest.description"),
    lang,
    dir: "ltr",
    start_url: "/",
    scope: "/",
    display: "standalone",
    categories: ["social", "productivity", "business"],
    background_color: "#f4f6f6",
    theme_color: "#0b6b74",
    icons: [
      { src: "/favicon.svg", sizes: "any", type: "image/svg+xml", purpose: "any" },
      picture("icons/icon-192.png", "192x192", "any"),
      picture("icons/icon-512.png", "512x512", "any"),
      picture("icons/maskable-512.png", "512x512", "maskable"),
      picture("icons/monochrome-512.png", "512x512", "monochrome"),
    ],
    screenshots: [
      {
        ...picture("screenshots/wide.png", "1280x800"),
        form_factor: "wide",
        label: t("manifest.screenshotWide"),
      },
      {
        ...picture("screenshots/narrow.png", "780x1688"),
        form_factor: "narrow",
        label: t("manifest.screenshotNarrow"),
      },
    ],
    shortcuts: [
      shortcut(t("nav.chats"), "/home/chat"),
      shortcut(t("nav.friends"), "/home/friend"),
      shortcut(t("nav.groups"), "/home/group"),
    ],
    share_target: {
      action: "/share",
      method: "POST",
      enctype: "multipart/form-data",
      params: {
        title: "title",
        text: "text",
        url: "url",
        files: [{ name: "files", accept: ["image/*", "video/*", "audio/*", "application/*", "text/*"] }],
      },
    },
  };
}

/** Makes `/manifest.<language>.webmanifest` for each language. The page links that of its own (`src/app/app.tsx`). */
export function webManifests(webFolder: string): Plugin {
  const manifests = () =>
    [...manifestTexts(webFolder)].map(([locale, t]) => ({
      fileName: `manifest.${locale}.webmanifest`,
      source: JSON.stringify(webManifest(locale, t)),
    }));
  return {
    name: "parley:web-manifests",
    generateBundle() {
      for (const file of manifests()) this.emitFile({ type: "asset", ...file });
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const found = manifests().find(({ fileName }) => request.url === `/${fileName}`);
        if (found === undefined) return next();
        response.setHeader("content-type", "application/manifest+json");
        response.end(found.source);
      });
    },
  };
}
