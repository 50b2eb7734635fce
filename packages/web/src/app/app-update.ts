import { create } from "zustand";

const useStore = create<{ readonly accept: (() => void) | null }>(() => ({ accept: null }));

/** A new version is ready; `accept` starts it. null: it is in use. */
export function offerUpdate(accept: (() => void) | null): void {
  useStore.setState({ accept });
}

/** Starts the new version on the person's wish; null: there is none, or the person chose "Later". */
export function useUpdateOffer(): (() => void) | null {
  return useStore(({ accept }) => accept);
}
