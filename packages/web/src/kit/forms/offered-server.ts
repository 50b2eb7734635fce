import { create } from "zustand";

/** The address of a server that a link has brought. */
export interface ServerOffer {
  readonly address: string;
}

const useStore = create<{ readonly offer: ServerOffer | null }>(() => ({ offer: null }));

/** Fills the address of a server into the box of login or registration, now or when one of them is shown next. */
export function offerServer(address: string): void {
  useStore.setState({ offer: { address } });
}

/** Marks an offer as taken by the box that shows it. A newer one stays. */
export function claimServerOffer(claimed: ServerOffer): void {
  if (useStore.getState().offer === claimed) useStore.setState({ offer: null });
}

/** The offer that no box has taken yet. */
export function useServerOffer(): ServerOffer | null {
  return useStore(({ offer }) => offer);
}
