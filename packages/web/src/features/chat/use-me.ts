import type { Person } from "../../kit/person.ts";
import { myIdOf, usePerson } from "../../kit/person.ts";
import { useClientState } from "../../kit/use-client.ts";

/** The signed-in person, as shown beside own messages. */
export function useMe(): Person {
  return usePerson(useClientState(myIdOf));
}
