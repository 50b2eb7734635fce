import type { KeyValue, StoragePort } from "@parley/core/ports";

/**
 * localStorage or sessionStorage. Values that the browser refuses to store (blocked site data, a full quota) are held in memory for as long
 * as the page lives.
 */
export function guardedKeyValue(area: () => Storage): KeyValue {
  const memory = new Map<string, string>();
  const tryStorage = <Value>(run: (storage: Storage) => Value, fallback: Value): Value => {
    try {
      return run(area());
    } catch {
      return fallback;
    }
  };
  return {
    get: (key) => memory.get(key) ?? tryStorage((storage) => storage.getItem(key), null),
    set(key, value) {
      const isStored = tryStorage((storage) => {
        storage.setItem(key, value);
        return true;
      }, false);
      if (isStored) memory.delete(key);
      else memory.set(key, value);
    },
    remove(key) {
      memory.delete(key);
      tryStorage((storage) => storage.removeItem(key), undefined);
    },
  };
}

/** Calls the listener when another document clears localStorage; the event does not reach the document that cleared it. */
export const onCleared: StoragePort["onCleared"] = (listener) => {
  const handleStorage = ({ key, storageArea }: StorageEvent) => {
    if (key === null && storageArea === localStorage) listener();
  };
  addEventListener("storage", handleStorage);
  return () => removeEventListener("storage", handleStorage);
};
