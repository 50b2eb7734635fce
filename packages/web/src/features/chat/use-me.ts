import type { Person } from "../../kit/person.ts";
import { usePerson } from "../../kit/person.ts";
import { useClientState } from "../../kit/use-client.ts";

/** The person signed in, as rows of one's own messages show them. */
export function useMe(): Person {
  return usePerson(
    useClientState((state) => (state.session.kind === "anonymous" ? 0 : state.session.userId)),
  );
}
