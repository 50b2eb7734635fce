import type { ComponentType } from "react";
import { createRoot } from "react-dom/client";
import { setLanguage, startLanguage, useTranslatedUiTexts } from "../src/kit/i18n/i18n.ts";
import { applyTextSize, applyTheme } from "../src/kit/settings/appearance.ts";
import { ClientProvider } from "../src/kit/loading/use-client.ts";
import { ToastLayer } from "../src/ui/toast.tsx";
import { TooltipLayer } from "../src/ui/tooltip.tsx";
import { UiTextsProvider } from "../src/ui/ui-texts.ts";
import { findMissingParts } from "./missing-parts.ts";
import { createSampleClient } from "./sample-client.ts";
import styles from "./gallery.module.css";

/** The sections by their file names. Each file exports one component, `Samples`. */
const SECTIONS = Object.entries(
  import.meta.glob<ComponentType>("./sections/*.tsx", { eager: true, import: "Samples" }),
).map(([path, Samples]) => ({ name: path.replace(/^.*\/|\.tsx$/g, ""), Samples }));

declare global {
  interface Window {
    /** For the browser test. */
    gallery: {
      setLanguage: typeof setLanguage;
      /** The parts that no call has found on the page so far. */
      missingParts: () => readonly string[];
    };
  }
}

/** Shows all sections, or the one with this name, with the language, theme and text size of the preferences. */
export async function showGallery(root: HTMLElement, section: string | null): Promise<void> {
  await startLanguage(navigator.language);
  applyTheme();
  applyTextSize();
  createRoot(root).render(<GalleryPage section={section} />);
  window.gallery = { setLanguage, missingParts: () => findMissingParts(root) };
}

const client = createSampleClient();

function GalleryPage({ section }: { section: string | null }) {
  const texts = useTranslatedUiTexts();
  return (
    <ClientProvider value={client}>
      <UiTextsProvider value={texts}>
        <div className={styles.page}>
          {SECTIONS.filter(({ name }) => section === null || name === section).map(({ name, Samples }) => (
            <section key={name} className={styles.section} data-section={name}>
              <h2 className={styles.title}>{name}</h2>
              <Samples />
            </section>
          ))}
        </div>
        <ToastLayer />
        <TooltipLayer />
      </UiTextsProvider>
    </ClientProvider>
  );
}
