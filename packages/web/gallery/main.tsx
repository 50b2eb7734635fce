// The gallery shows every part of the user interface with sample data. `?theme=light` and `?theme=dark` are pages with one theme; without a
// theme, both are shown side by side.
import { createRoot } from "react-dom/client";
import "../src/ui/base.css";
import { setPreferenceStore } from "../src/kit/settings/preferences.ts";

const search = new URLSearchParams(location.search);
const values = new Map(
  ["language", "theme", "textSize"].map((name) => [`parley.${name}`, search.get(name) ?? ""]),
);
setPreferenceStore({
  get: (key) => values.get(key) || null,
  set: (key, value) => void values.set(key, value),
  remove: (key) => void values.delete(key),
});

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
if (search.has("theme")) {
  const { showGallery } = await import("./gallery-page.tsx");
  await showGallery(root, search.get("section"));
} else {
  const { Frames } = await import("./frames.tsx");
  createRoot(root).render(<Frames />);
}
