/**
 * Limits how much a person has asked for and not read yet: somebody who asks on hundreds of connections and reads on none would fill the memory
 * with the answers. Lists that are sent piece by piece have a limit of their own.
 */
import { ApiError } from "../api/api-error.ts";
import { changeCount } from "../collections/maps.ts";

/** In characters, each of which takes one or two bytes. About a hundred lists of the members of a large group are twice as long. */
const UNREAD_MAX = 16_777_216;
/** Shorter answers leave at once, into the buffers of the connection. */
const SHORT_MAX = 16_384;

export class UnreadAnswers {
  readonly #lengths = new Map<number, number>();

  /**
   * Counts an answer until `onAnswered` tells that it has left. Throws if too much waits already and `isRepeatable`: a call that has changed
   * something is answered in any case, and so is one call of each person.
   */
  add(
    userId: number,
    { answer, isRepeatable }: { answer: string; isRepeatable: boolean },
    onAnswered: (listener: () => void) => void,
  ): void {
    const { length } = answer;
    if (length <= SHORT_MAX) return;
    const unread = this.#lengths.get(userId) ?? 0;
    if (isRepeatable && unread > 0 && unread + length > UNREAD_MAX)
      throw new ApiError("request.tooMany", { seconds: 1 });
    changeCount(this.#lengths, userId, length);
    onAnswered(() => changeCount(this.#lengths, userId, -length));
  }
}
