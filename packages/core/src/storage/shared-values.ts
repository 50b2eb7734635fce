import type { UserChanges } from "@parley/protocol/endpoints/changes";
import type { AnySharedValue } from "../model/shared-value.ts";
import { SHARED_VALUES, type SharedChange, type SharedName } from "../model/shared-values.ts";
import type { State } from "../model/state.ts";
import type { Ports } from "../ports.ts";
import type { SessionEvents } from "../session-events.ts";
import type { StateStore } from "../state-store.ts";
import type { LocalDatabase } from "./local-database.ts";
import type { ValuesToSave } from "./stored-values.ts";
import { broadcastToTabs, listenToOwnTabs } from "./tab-messages.ts";

/** Keeps the shared values of one session in the state, in the local database and in the other tabs. */
export interface SharedValues extends Pick<SessionEvents, "restore" | "reset" | "signedOut"> {
  /** Applies a change here, in the local database and in the other tabs. */
  change<Name extends SharedName>(name: Name, change: SharedChange<Name>): void;
  /**
   * Whether the values here have everything that the change feed has reported up to its token. They have not if one was not stored: it was
   * damaged, or a version of the client that did not know it has moved the token.
   */
  haveFeed(): boolean;
  /** Applies an answer of the change feed, before its token is saved. */
  applyFeed(feed: UserChanges): void;
  /**
   * The local database was cleared. Values of the change feed begin anew, and its token with them. Others stay, unless the server has
   * another database, where ids belong to other things.
   */
  reset(isOtherServer: boolean): void;
}

/** What shared values need. */
export interface SharedValuesDeps {
  readonly ports: Ports;
  readonly stateStore: StateStore;
  readonly database: LocalDatabase;
  /** The id of the person signed in. */
  readonly me: number;
}

/** Creates the shared values and listens to the other tabs. */
export function createSharedValues({ ports, stateStore, database, me }: SharedValuesDeps): SharedValues {
  const definitions = Object.entries<AnySharedValue>(SHARED_VALUES);
  const ofFeed = definitions.filter(([, { changesOf }]) => changesOf !== undefined);
  let isFeedMissing = false;

  // Their names are those of the state and of the stored values.
  const get = (name: string): unknown => stateStore.get()[name as keyof State];
  const show = (name: string, value: unknown) => stateStore.set({ [name]: value });
  const save = (name: string) => database.save({ values: { [name]: get(name) } as ValuesToSave });

  /** Applies changes here; returns whether there was any. */
  function apply(name: string, definition: AnySharedValue, changes: readonly unknown[]): boolean {
    const before = get(name);
    const after = changes.reduce((value, change) => definition.reduce(value, change), before);
    if (after === before) return false;
    show(name, after);
    save(name);
    return true;
  }

  listenToOwnTabs(ports.tabs, me, "sharedValue", (message) => {
    const [, definition] = definitions.find(([name]) => name === message.name) ?? [];
    const parsed = definition?.changeSchema.safeParse(message.change);
    if (definition !== undefined && parsed?.success === true) apply(message.name, definition, [parsed.data]);
  });

  return {
    async restore() {
      await Promise.all(
        definitions.map(async ([name, { schema, changesOf }]) => {
          const { success, data } = schema.safeParse(await database.value(name as SharedName));
          if (success) show(name, data);
          else if (changesOf !== undefined) isFeedMissing = true;
        }),
      );
    },
    change(name, change) {
      const [, definition] = definitions.find(([other]) => other === name) ?? [];
      if (definition === undefined || !apply(name, definition, [change])) return;
      broadcastToTabs(ports.tabs, { kind: "sharedValue", userId: me, name, change });
    },
    haveFeed: () => !isFeedMissing,
    applyFeed(feed) {
      for (const [name, definition] of ofFeed) {
        const hasChanged = apply(name, definition, definition.changesOf?.(feed) ?? []);
        if (isFeedMissing && !hasChanged) save(name);
      }
      isFeedMissing = false;
    },
    reset(isOtherServer) {
      for (const [name, { initial, changesOf }] of definitions) {
        if (isOtherServer || changesOf !== undefined) show(name, initial);
        save(name);
      }
    },
    signedOut() {
      for (const [name, { initial, endsWithLogin }] of definitions) {
        if (endsWithLogin !== true) continue;
        show(name, initial);
        save(name);
      }
    },
  };
}
