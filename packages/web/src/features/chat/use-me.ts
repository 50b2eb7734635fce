import type { Person } from "../../kit/person.ts";
import { usePerson } from "../../kit/person.ts";
import { useClientState } from "../../kit/use-client.ts";

/** The signed-in person, as shown beside own messages. */
export function useMe(): Person {
  return usePerson(
    useClientState((state) => (state.session.kind === "anonymous" ? 0 : state.session.userId)),
  );
}
