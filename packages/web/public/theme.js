// Before the first paint: the theme and the size of text the person chose, so that nothing flashes or jumps. A file of its own since the
// page allows no inline script.
try {
  const root = document.documentElement;
  const theme = localStorage.getItem("parley.theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  const size = localStorage.getItem("parley.textSize");
  if (/^(0\.9|1\.15|1\.3)$/.test(size)) root.style.setProperty("--text-scale", size);
} catch {
  // Storage is refused: the system's theme stays.
}
