import { useMemo } from "react";
import { useNameMatch } from "../../../kit/pinyin.ts";
import { useClientState } from "../../../kit/use-client.ts";

/** Friends and oneself whose names hold the words: first those asked for, then the others as the friend list has them. */
export function usePeople(filter: string, first: readonly number[], without?: number): readonly number[] {
  const contacts = useClientState((state) => state.contacts);
  const me = useClientState((state) => state.me);
  const { matches } = useNameMatch(filter !== "");
  return useMemo(() => {
    const isKnown = (id: number) => id === me?.id || contacts.order.includes(id);
    const all = [...first.filter(isKnown), ...contacts.order, ...(me === null ? [] : [me.id])];
    return [...new Set(all)].filter((id) => {
      if (id === without) return false;
      const one = contacts.friends[id] ?? me;
      const names = [contacts.friends[id]?.showNickName, one?.nickName, one?.userName];
      return names.some((name) => name !== undefined && matches(name, filter));
    });
  }, [contacts, me, filter, first, without, matches]);
}
