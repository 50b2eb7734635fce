/** The parts of a picture's file name: `<screen>.<language>.<width>.<theme>.png`. */
const PICTURE = /^([\w-]+)\.([\w-]+)\.(\d+)\.(light|dark)\.png$/;

/**
 * A page with one row for each screen and one column for each language, width and theme. It loads the pictures from its own folder.
 * @param fileNames What is in the folder; other files are left out.
 */
export function shotsPage(fileNames: readonly string[]): string {
  const screens = new Map<string, Map<string, string>>();
  const columns = new Set<string>();
  for (const fileName of fileNames) {
    const [, screen, language, width, theme] = PICTURE.exec(fileName) ?? [];
    if (screen === undefined) continue;
    const column = `${width} px, ${language}, ${theme}`;
    columns.add(column);
    screens.set(screen, (screens.get(screen) ?? new Map<string, string>()).set(column, fileName));
  }
  const sortedColumns = [...columns].sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
  const rows = [...screens]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([screen, pictures]) => {
      const cells = sortedColumns.map((column) => cell(column, pictures.get(column)));
      return `<section><h2 id="${screen}">${screen.replaceAll("-", " ")}</h2><div>${cells.join("")}</div></section>`;
    });
  const style = `body{font:14px system-ui;margin:24px;background:#8882}h2{margin:24px 0 8px;text-transform:capitalize}
div{display:flex;gap:12px;overflow-x:auto}figure{margin:0;flex:none}img{height:420px;border:1px solid #8888;display:block}
figcaption{font-size:12px;padding:4px 0}`;
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Parley: all screens</title>
<style>${style}</style>
<h1>${screens.size} screens</h1>
${rows.join("\n")}
</html>
`;
}

function cell(column: string, fileName: string | undefined): string {
  const picture =
    fileName === undefined
      ? "no picture"
      : `<a href="${fileName}"><img loading="lazy" src="${fileName}" alt=""></a>`;
  return `<figure>${picture}<figcaption>${column}</figcaption></figure>`;
}
