import { create } from "zustand";

const useStore = create<{ readonly notice: string | null }>(() => ({ notice: null }));

/** Shows this as the title of the window, in place of the usual one; null ends it. */
export function setTitleNotice(notice: string | null): void {
  useStore.setState({ notice });
}

/** What the title of the window says in place of the usual one. */
export function useTitleNotice(): string | null {
  return useStore(({ notice }) => notice);
}
