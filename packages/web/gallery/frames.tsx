import { useState } from "react";
import { LOCALES, LOCALE_NAMES } from "../src/kit/i18n/locale.ts";
import { TEXT_SIZES } from "../src/kit/settings/appearance.ts";
import { InlineSelect } from "../src/ui/inline-select.tsx";
import styles from "./gallery.module.css";

/** Only the names: the pages load the sections. */
const SECTIONS = Object.keys(import.meta.glob("./sections/*.tsx")).map((path) =>
  path.replace(/^.*\/|\.tsx$/g, ""),
);
const WIDTHS = ["50%", "390px", "1024px"] as const;

/** The switches, and the gallery in both themes side by side. Each is a page of its own, so that dialogs and small screens look as they do. */
export function Frames() {
  const [language, setLanguage] = useState<string>("zh-CN");
  const [textSize, setTextSize] = useState<string>("1");
  const [width, setWidth] = useState<string>(WIDTHS[0]);
  const [section, setSection] = useState("");
  const search = new URLSearchParams({ language, textSize, ...(section !== "" && { section }) });
  return (
    <div className={styles.frames}>
      <header className={styles.switches}>
        <InlineSelect
          label="Language"
          value={language}
          options={LOCALES.map((value) => ({ value, text: LOCALE_NAMES[value] }))}
          onChange={setLanguage}
        />
        <InlineSelect
          label="Text size"
          value={textSize}
          options={TEXT_SIZES.map((value) => ({ value, text: `Text ${Math.round(Number(value) * 100)} %` }))}
          onChange={setTextSize}
        />
        <InlineSelect
          label="Width"
          value={width}
          options={WIDTHS.map((value) => ({ value, text: value }))}
          onChange={setWidth}
        />
        <InlineSelect
          label="Section"
          value={section}
          options={[
            { value: "", text: "all sections" },
            ...SECTIONS.map((value) => ({ value, text: value })),
          ]}
          onChange={setSection}
        />
      </header>
      {["light", "dark"].map((theme) => (
        // The pages are our own and need scripts, storage and the origin.
        // oxlint-disable-next-line react/iframe-missing-sandbox
        <iframe key={theme} style={{ inlineSize: width }} title={theme} src={`?theme=${theme}&${search}`} />
      ))}
    </div>
  );
}
