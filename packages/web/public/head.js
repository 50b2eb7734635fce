// What cannot wait for the program. It is a file of its own because the content security policy allows no inline scripts.

// The saved theme and text size come before the first paint, so that nothing flashes or jumps.
try {
  const root = document.documentElement;
  const theme = localStorage.getItem("parley.theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  const size = localStorage.getItem("parley.textSize");
  if (/^(0\.9|1\.15|1\.3)$/.test(size)) root.style.setProperty("--text-scale", size);
} catch {
  // The browser refuses storage: the system's theme stays.
}

// Asks for the program of the chats at once on their paths. The entry, which is loaded first, would ask for it later.
const program = document.querySelector("meta[name=chats-program]");
if (program && location.pathname.startsWith("/home")) {
  const link = document.createElement("link");
  link.rel = "modulepreload";
  link.href = program.content;
  document.head.append(link);
}
