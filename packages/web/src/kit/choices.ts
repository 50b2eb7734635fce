import { useSyncExternalStore } from "react";
import type { Session } from "@parley/core/model/state";
import { readPreference, writePreference } from "./preferences.ts";
import { useClientState } from "./use-client.ts";

/** What each person at this browser chooses for themselves; the first value is the one before any choice. */
const CHOICES = {
  /** What sends: the other of the two makes a new line. */
  sendKey: ["enter", "ctrlEnter"],
  alertSounds: ["on", "off"],
  /** Notifications of the system tell who wrote and what. `off`: that there is a message. */
  notificationContent: ["on", "off"],
  /** Whether this browser may show notifications of the system, besides its own permission. */
  notifications: ["on", "off"],
} as const;

export type Choice = keyof typeof CHOICES;
export type ChoiceOf<Name extends Choice> = (typeof CHOICES)[Name][number];
export type SendKey = ChoiceOf<"sendKey">;

const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

/** Of the person of this session; nobody's are what they are before any choice. */
export function readChoice<Name extends Choice>(session: Session, name: Name): ChoiceOf<Name> {
  const values: readonly ChoiceOf<Name>[] = CHOICES[name];
  const saved = session.kind === "anonymous" ? null : readPreference(`${name}.${session.userId}`);
  return values.find((value) => value === saved) ?? CHOICES[name][0];
}

/** Kept in this browser for this person; other tabs follow. */
function writeChoice<Name extends Choice>(session: Session, name: Name, value: ChoiceOf<Name>): void {
  if (session.kind === "anonymous") return;
  writePreference(`${name}.${session.userId}`, value);
  tell();
}

function subscribe(listener: () => void): () => void {
  // Another tab of this browser chose.
  if (listeners.size === 0) addEventListener("storage", tell);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener("storage", tell);
  };
}

/** A choice of the person signed in, and what changes it. */
export function useChoice<Name extends Choice>(
  name: Name,
): readonly [ChoiceOf<Name>, (value: ChoiceOf<Name>) => void] {
  const session = useClientState((state) => state.session);
  const value = useSyncExternalStore(subscribe, () => readChoice(session, name));
  return [value, (next) => writeChoice(session, name, next)];
}
