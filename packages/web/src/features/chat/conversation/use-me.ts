import type { Person } from "../../../kit/people.ts";
import { usePerson } from "../../../kit/people.ts";
import { useClientState } from "../../../kit/use-client.ts";

/** The person signed in, as rows of one's own messages show them. */
export function useMe(): Person {
  return usePerson(
    useClientState((state) => (state.session.kind === "anonymous" ? 0 : state.session.userId)),
  );
}
