/** The url of a stored file that the browser saves under this name. */
export function downloadUrl(url: string, fileName: string): string {
  return `${url}?${new URLSearchParams({ name: fileName, download: "1" })}`;
}
