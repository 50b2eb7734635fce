import type { Person } from "../../kit/people/person.ts";
import { myIdOf, usePerson } from "../../kit/people/person.ts";
import { useClientState } from "../../kit/loading/use-client.ts";

/** The signed-in person, as shown beside own messages. */
export function useMe(): Person {
  return usePerson(useClientState(myIdOf));
}
