/** The url of a stored file that the browser saves under this name. */
export function downloadUrl(url: string, fileName: string): string {
  return `${url}?${new URLSearchParams({ name: fileName, download: "1" })}`;
}

/** Lets the browser save what is at a URL; also of another origin, where only the server can say that it is to be saved. */
export function startDownload(url: string, fileName: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.rel = "noopener";
  document.body.append(link);
  link.click();
  link.remove();
}
