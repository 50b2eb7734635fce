// Applies the saved theme and text size before the first paint, so that nothing flashes or jumps. It is a file of its own because the content
// security policy allows no inline scripts.
try {
  const root = document.documentElement;
  const theme = localStorage.getItem("parley.theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  const size = localStorage.getItem("parley.textSize");
  if (/^(0\.9|1\.15|1\.3)$/.test(size)) root.style.setProperty("--text-scale", size);
} catch {
  // The browser refuses storage: the system's theme stays.
}

// Asks for the program of the screen before the entry is there, which would ask for it later.
const program = document.querySelector("link[data-path]");
if (program && location.pathname.startsWith(program.dataset.path)) program.rel = "modulepreload";
