// Before the first paint: the theme the person chose, so that nothing flashes. A file of its own since the page allows no inline script.
try {
  const theme = localStorage.getItem("parley.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is refused: the system's theme stays.
}
