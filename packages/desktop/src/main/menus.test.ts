import type { MenuItemConstructorOptions } from "electron";
import { describe, expect, test } from "vitest";
import { clickItem } from "../testing/fake-system.ts";
import { applicationOfEachTest } from "../testing/test-application.ts";

const application = applicationOfEachTest();

/** All items, also of menus inside. */
function all(items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? all(item.submenu) : [])]);
}
const roles = () => all(application.electron.applicationMenu).flatMap(({ role }) => role ?? []);

describe("the menu of the application", () => {
  test.each(["darwin", "linux", "win32"] as const)(
    "on %s has what edits texts, and quits",
    async (platform) => {
      await application.start({ platform });
      for (const role of [
        "undo",
        "redo",
        "cut",
        "copy",
        "paste",
        "selectAll",
        "quit",
        "close",
        "togglefullscreen",
      ])
        expect(roles()).toContain(role);
    },
  );

  test("on macOS has what belongs to its menu bar", async () => {
    await application.start({ platform: "darwin" });
    for (const role of [
      "about",
      "services",
      "hide",
      "hideOthers",
      "unhide",
      "minimize",
      "zoom",
      "front",
      "window",
    ])
      expect(roles()).toContain(role);
  });

  test("has the keys of zooming, also those of the number block, in one item each", async () => {
    await application.start();
    const items = all(application.electron.applicationMenu);
    const keys = items.flatMap(({ accelerator }) => accelerator ?? []);
    expect(items.filter(({ label, visible }) => label === "Zoom in" && visible !== false)).toHaveLength(1);
    expect(keys).toEqual(
      ["0", "num0", "Plus", "=", "numadd", "-", "numsub"].map((key) => `CommandOrControl+${key}`),
    );
  });
});

describe("the menu of a text", () => {
  const FIELD = {
    isEditable: true,
    selectionText: "",
    misspelledWord: "",
    dictionarySuggestions: [] as string[],
    editFlags: { canCopy: false, canCut: false, canPaste: true, canSelectAll: true },
  };
  const open = (params: Partial<typeof FIELD>) => {
    application.electron.window.webContents.emit("context-menu", {}, { ...FIELD, ...params });
    return application.electron.contextMenu?.map(({ role, label, enabled }) => [
      role ?? label,
      enabled ?? true,
    ]);
  };

  test("that can be edited has cut, copy, paste and select all, as far as they are possible", async () => {
    await application.start();
    expect(open({})).toEqual([
      ["cut", false],
      ["copy", false],
      ["paste", true],
      [undefined, true],
      ["selectAll", true],
    ]);
  });

  test("with a mistake offers words, and the chosen one replaces it", async () => {
    await application.start();
    expect(open({ misspelledWord: "helo", dictionarySuggestions: ["hello", "help"] })?.slice(0, 2)).toEqual([
      ["hello", true],
      ["help", true],
    ]);
    clickItem(application.electron.contextMenu!, "help");
    expect(application.electron.window.webContents.corrected).toBe("help");
  });

  test("with an unknown word says that there are no suggestions", async () => {
    await application.start();
    expect(open({ misspelledWord: "xqz" })?.[0]).toEqual(["No suggestions", false]);
  });

  test("that is only selected can be copied", async () => {
    await application.start();
    const editFlags = { ...FIELD.editFlags, canCopy: true };
    expect(open({ isEditable: false, selectionText: "a text", editFlags })).toEqual([["copy", true]]);
  });

  test("is none where nothing is selected", async () => {
    await application.start();
    expect(open({ isEditable: false, selectionText: " " })).toBeUndefined();
  });
});
