/** The settings that need no restart: what administrators have set, and otherwise what the environment says. */
import type { AdminSettings, SettingName } from "@parley/protocol/admin-entities";
import { type AuditTx, recordAct } from "../../access/administration.ts";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import type { AdminHandlers } from "../../api/admin-act.ts";
import type { Bus } from "../../ports/bus.ts";
import type { ServerStateReads, ServerStateWrites } from "../../ports/server-state-store.ts";
import type { Transactions } from "../../ports/store.ts";

/** The value of each setting. */
export type SettingValues = { readonly [Name in SettingName]-?: NonNullable<AdminSettings[Name]>["value"] };

export interface LiveSettingsDeps {
  store: ServerStateReads & Transactions<ServerStateWrites & AuditTx>;
  bus: Bus;
  /** What the environment says. */
  fallback: SettingValues;
  /** Takes over work that nobody waits for. */
  inBackground(work: Promise<void>): void;
  log: { warn(data: object, text: string): void };
}

/** The settings of this node, which follow those of the store. */
export interface LiveSettings {
  /** The values that hold now. Synchronous, because every message asks for them. */
  current(): SettingValues;
  /** Reads them from the store; called before the first client connects, and again and again, because an event may find no database. */
  load(): Promise<void>;
  handlers: Pick<AdminHandlers, "loadSettings" | "saveSettings">;
}

export function createLiveSettings(deps: LiveSettingsDeps): LiveSettings {
  const { store, bus, fallback, inBackground, log } = deps;
  const names = Object.keys(fallback) as SettingName[];
  let values = fallback;
  let loads = 0;
  let newestLoaded = 0;
  const reported = new Map<SettingName, string>();

  const readSet = async (): Promise<Partial<SettingValues>> => {
    const stored = await store.listSettings();
    return Object.fromEntries(
      names.flatMap((name) => {
        const json = stored.get(name);
        if (json === undefined) return [];
        const value = valueOf(name, json);
        if (value !== undefined) return [[name, value]];
        if (reported.get(name) !== json)
          log.warn({ setting: name }, "the stored value of a setting is not valid; the environment's holds");
        reported.set(name, json);
        return [];
      }),
    );
  };

  const load = async (): Promise<void> => {
    const number = ++loads;
    const set = await readSet();
    // A load that began later has read what is newer.
    if (number < newestLoaded) return;
    newestLoaded = number;
    values = { ...fallback, ...set };
  };

  const view = async (): Promise<AdminSettings> => {
    const set = await readSet();
    return Object.fromEntries(
      names.map((name) => [
        name,
        { value: set[name] ?? fallback[name], fallback: fallback[name], isSet: name in set },
      ]),
    ) as unknown as AdminSettings;
  };

  bus.subscribe(({ kind }) => {
    if (kind === "settingsChanged" || kind === "interrupted") inBackground(load());
  });

  return {
    current: () => values,
    load,
    handlers: {
      loadSettings: async () => view(),

      async saveSettings(act, { body }) {
        const changes = names.filter((name) => body[name] !== undefined);
        await store.write(async (tx) => {
          await recordAct(tx, act, {
            kind: "settings",
            id: null,
            name: changes.map((name) => `${name}=${body[name] ?? "default"}`).join(", "),
          });
          for (const name of changes) {
            const value = body[name];
            await tx.setSetting(name, value === null ? null : JSON.stringify(value));
          }
        });
        await load();
        bus.publish({ kind: "settingsChanged" });
        return view();
      },
    },
  };
}

/** The stored value; undefined if no call could have set it, as after a hand or another version has changed it. */
function valueOf(name: SettingName, json: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  const isValid = ENDPOINTS.saveSettings.body?.safeParse({ [name]: value }).success ?? false;
  return value !== null && isValid ? value : undefined;
}
