// One descriptor of a command of a chat is enough for its menu, the side panel and its shortcut.
import { Star } from "lucide-react";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { FRIEND_CHAT } from "@parley/core/testing/builders";
import { createLoggedInClient, pushedRow, type SingleClient } from "@parley/core/testing/single-client";
import type { TextId } from "../../kit/i18n/i18n.ts";
import { CHAT_COMMAND_SHORTCUTS } from "../../kit/settings/shortcuts.ts";
import type { ChatCommand } from "./list/chat-commands.tsx";

interface ParentProps {
  children?: ReactNode;
}

/** What the places need of the program; loaded with replaced menus, which render nothing without a browser. */
async function loadPlaces() {
  const Parent = ({ children }: ParentProps) => createElement("div", null, children);
  vi.resetModules();
  vi.doMock("../../ui/menu.tsx", () => ({
    MenuAt: Parent,
    MenuRadioGroup: () => null,
    MenuSeparator: () => createElement("hr"),
    SubMenu: Parent,
    MenuItem: ({ children, keys }: ParentProps & { keys?: string }) =>
      createElement("button", { "aria-keyshortcuts": keys }, children),
  }));
  return {
    ...(await import("../../kit/i18n/i18n.ts")),
    ...(await import("../../kit/loading/use-client.ts")),
    ...(await import("./list/chat-commands.tsx")),
    ...(await import("./list/chat-menu.tsx")),
    ...(await import("./panel/panel-rows.tsx")),
  };
}

describe("a command of a chat", () => {
  const look = { text: (): TextId => "keys.rotate", Icon: () => Star };
  const planted: readonly ChatCommand[] = [
    {
      ...look,
      id: "star",
      panelSwitch: { text: "keys.rotate", isOn: () => true },
      run: () => undefined,
    },
    { ...look, id: "ask", shortcut: "delete", Dialog: () => <p>Really?</p> },
  ];
  let single: SingleClient;
  let places: Awaited<ReturnType<typeof loadPlaces>>;
  let label: string;

  beforeAll(async () => {
    places = await loadPlaces();
    single = await createLoggedInClient();
    await single.push(pushedRow(1));
    label = places.currentText()("keys.rotate");
    (places.CHAT_COMMANDS as ChatCommand[]).unshift(...planted);
  });
  afterAll(() => {
    vi.doUnmock("../../ui/menu.tsx");
    vi.resetModules();
  });

  const show = (place: ReactNode) =>
    renderToStaticMarkup(<places.ClientProvider value={single.client}>{place}</places.ClientProvider>);
  const menu = (request: Parameters<typeof places.ChatMenu>[0]["request"]) => {
    const noop = () => undefined;
    return show(
      <places.ChatMenu
        chatKey={FRIEND_CHAT}
        request={request}
        opener={null}
        onClose={noop}
        onRemoved={noop}
      />,
    );
  };

  test("is in the menu of the chat, with its shortcut", () => {
    const shown = menu({ x: 0, y: 0 });
    expect(shown).toContain(`<button>${label}</button>`);
    expect(shown).toContain(`<button aria-keyshortcuts="Del">${label}</button>`);
  });

  test("is a switch of the side panel", () => {
    expect(show(<places.ChatSwitches chatKey={FRIEND_CHAT} />)).toContain(`>${label}</span>`);
  });

  test("opens its dialog by its shortcut", () => {
    expect(menu("delete")).toBe("<p>Really?</p>");
  });
});

test("each shortcut of commands of a chat belongs to one command", async () => {
  const { CHAT_COMMANDS } = await import("./list/chat-commands.tsx");
  const shortcuts = CHAT_COMMANDS.flatMap((command) => ("Dialog" in command && command.shortcut) || []);
  expect(shortcuts).toEqual(Object.keys(CHAT_COMMAND_SHORTCUTS));
});
