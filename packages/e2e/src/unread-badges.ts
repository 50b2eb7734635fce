import { expect } from "@playwright/test";
import { MessageStatus } from "@parley/protocol/codes";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { kindOf } from "@parley/protocol/message";
import type { Account } from "./api.ts";
import type { Person } from "./person.ts";

/** All unread counts that a page shows. */
export interface ShownBadges {
  readonly title: string;
  /** By chat key: the number, or "" for a dot. Chats without a badge are left out. */
  readonly rows: Readonly<Record<string, string>>;
  /** The number on the page's icon. */
  readonly icon: string;
  /** The number on the app's icon; 0 for none. */
  readonly app: number;
  /** The number at the link to the chats. */
  readonly rail: string;
}

interface RecordedBadges {
  badges: (number | undefined)[];
  zeros: string[];
}

/** Records the app's badge, and every 0 that is shown anywhere. Call it before the page opens. */
export async function recordBadges(person: Person): Promise<void> {
  await person.context.addInitScript(() => {
    const recorded: RecordedBadges = { badges: [], zeros: [] };
    Object.assign(window, { recorded });
    Object.assign(navigator, {
      setAppBadge: async (count?: number) => void recorded.badges.push(count),
      clearAppBadge: async () => void recorded.badges.push(0),
    });
    const set = navigator.setAppBadge;
    navigator.setAppBadge = async (count) => {
      if (!count) recorded.zeros.push("app");
      await set.call(navigator, count);
    };
    new MutationObserver(() => {
      if (document.title.startsWith("(0)")) recorded.zeros.push("title");
      if (document.querySelector('[data-badge="0"]') !== null) recorded.zeros.push("badge");
    }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  });
}

/** The places where this page has shown a 0. */
export function shownZeros(person: Person): Promise<string[]> {
  return person.page.evaluate(() => (window as unknown as { recorded: RecordedBadges }).recorded.zeros);
}

function shownBadges(person: Person): Promise<ShownBadges> {
  return person.page.evaluate(() => {
    const rows = [...document.querySelectorAll<HTMLElement>("[data-chat]")].flatMap((row) => {
      const badge = row.querySelector<HTMLElement>("[data-badge]")?.dataset["badge"];
      return badge === undefined ? [] : [[row.dataset["chat"] ?? "", badge] as const];
    });
    const { recorded } = window as unknown as { recorded: RecordedBadges };
    return {
      title: document.title,
      rows: Object.fromEntries(rows),
      icon: document.querySelector<HTMLElement>('link[rel="icon"]')?.dataset["badge"] ?? "",
      app: recorded.badges.at(-1) ?? 0,
      rail:
        document.querySelector<HTMLElement>('nav a[href="/home/chat"] [data-badge]')?.dataset["badge"] ?? "",
    };
  });
}

/** The unread counts of private and group chats and the muted chats on the server, by chat key. */
async function serverState(account: Account): Promise<{ unread: Map<string, number>; muted: Set<string> }> {
  const [rows, groupRows, friends, groups] = await Promise.all([
    account.call(ENDPOINTS.loadPrivateMessages, { query: { minId: 0 } }),
    account.call(ENDPOINTS.loadGroupMessages, { query: { minId: 0 } }),
    account.call(ENDPOINTS.listFriends, {}),
    account.call(ENDPOINTS.listGroups, {}),
  ]);
  const unread = new Map<string, number>();
  const keyedRows = [
    ...rows.map((row) => ({ ...row, key: `PRIVATE:${row.sendId}` })),
    ...groupRows.map((row) => ({ ...row, key: `GROUP:${row.groupId}` })),
  ];
  for (const { sendId, type, status, key } of keyedRows) {
    if (sendId === account.id || kindOf(type)?.unread !== true) continue;
    if (status === MessageStatus.READED || status === MessageStatus.RECALL) continue;
    unread.set(key, (unread.get(key) ?? 0) + 1);
  }
  const muted = [
    ...friends.filter(({ msgRemind }) => msgRemind === 0).map(({ id }) => `PRIVATE:${id}`),
    ...groups.filter(({ isDnd }) => isDnd).map(({ id }) => `GROUP:${id}`),
  ];
  return { unread, muted: new Set(muted) };
}

const badgeText = (count: number) => (count === 0 ? "" : count > 99 ? "99+" : String(count));

/** What a page must show. `marks`: keys of the chats that are marked as unread in that browser. */
async function expectedBadges(account: Account, marks: ReadonlySet<string>): Promise<ShownBadges> {
  const { unread, muted } = await serverState(account);
  let total = 0;
  const rows: Record<string, string> = {};
  for (const [key, count] of unread) {
    if (!muted.has(key)) total += count;
    rows[key] = muted.has(key) ? "" : badgeText(count);
  }
  for (const key of marks) rows[key] ??= "";
  const shown = badgeText(total);
  const name = account.nickName;
  return { title: total === 0 ? name : `(${shown}) ${name}`, rows, icon: shown, app: total, rail: shown };
}

/** Waits until all these browsers of a user show the counts of the server. */
export async function expectBadgesMatchServer(
  account: Account,
  devices: readonly { readonly person: Person; readonly marks: ReadonlySet<string> }[],
): Promise<void> {
  await expect(async () => {
    for (const { person, marks } of devices)
      expect(await shownBadges(person)).toEqual(await expectedBadges(account, marks));
  }).toPass({ timeout: 60_000, intervals: [25, 50, 100, 250] });
}
