// One descriptor of a command is enough for the menus and the switcher.
import { Star } from "lucide-react";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createLoggedInClient, type SingleClient } from "@parley/core/testing/single-client";
import type { SearchCommand } from "../kit/search/use-search-sections.ts";
import { COMMAND_SHORTCUTS } from "../kit/settings/shortcuts.ts";
import type { AppCommand } from "./commands.ts";

interface ParentProps {
  children?: ReactNode;
}

/** What the places need of the program; loaded with replaced menus and dialogs, which render nothing without a browser. */
async function loadPlaces() {
  const Parent = ({ children }: ParentProps) => createElement("div", null, children);
  vi.resetModules();
  vi.doMock("../ui/menu.tsx", () => ({
    Menu: Parent,
    MenuRadioGroup: () => null,
    MenuSeparator: () => createElement("hr"),
    SubMenu: Parent,
    MenuItem: ({ children, keys }: ParentProps & { keys?: string }) =>
      createElement("button", { "aria-keyshortcuts": keys }, children),
  }));
  vi.doMock("../ui/dialog.tsx", () => ({ PaletteDialog: Parent }));
  vi.doMock("../kit/search/use-search-sections.ts", () => ({
    useSearchSections: (_query: string, { commands }: { commands: readonly SearchCommand[] }) => ({
      sections: [
        {
          title: "search.commands",
          items: commands.map((command) => ({ kind: "command", id: command.id, command, ranges: [] })),
        },
      ],
    }),
  }));
  vi.stubGlobal("location", { pathname: "/home/me", search: "" });
  return {
    ...(await import("../features/switcher/switcher.tsx")),
    ...(await import("../kit/loading/use-client.ts")),
    ...(await import("./commands.ts")),
    ...(await import("./main-menu.tsx")),
    ...(await import("./me-screen.tsx")),
  };
}

describe("a command of the app", () => {
  const star: AppCommand = {
    id: "star",
    name: () => "Look at the stars",
    Icon: Star,
    menuPart: 2,
    shortcut: "keys",
    run: () => undefined,
  };
  let single: SingleClient;
  let places: Awaited<ReturnType<typeof loadPlaces>>;

  beforeAll(async () => {
    places = await loadPlaces();
    single = await createLoggedInClient();
    (places.APP_COMMANDS as AppCommand[]).push(star);
  });
  afterAll(() => {
    for (const replaced of ["../ui/menu.tsx", "../ui/dialog.tsx", "../kit/search/use-search-sections.ts"])
      vi.doUnmock(replaced);
    vi.resetModules();
  });

  const show = (place: ReactNode) =>
    renderToStaticMarkup(<places.ClientProvider value={single.client}>{place}</places.ClientProvider>);

  test("is in the main menu, with its shortcut", () => {
    expect(show(<places.RailMenu />)).toContain(
      '<button aria-keyshortcuts="Ctrl /">Look at the stars</button>',
    );
  });

  test("is on the page that a small screen has instead", () => {
    expect(show(<places.MeScreen />)).toContain("Look at the stars</button>");
  });

  test("is in the switcher", () => {
    const shown = show(<places.Switcher commands={places.APP_COMMANDS} onClose={() => undefined} />);
    expect(shown).toMatch(/role="option"(?:(?!role="option").)*Look at the stars/);
  });
});

test("each shortcut of commands belongs to one command", async () => {
  const { APP_COMMANDS } = await import("./commands.ts");
  expect(APP_COMMANDS.flatMap(({ shortcut }) => shortcut ?? [])).toEqual(Object.keys(COMMAND_SHORTCUTS));
});

test("no two commands have the same id", async () => {
  const { APP_COMMANDS } = await import("./commands.ts");
  const ids = APP_COMMANDS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
