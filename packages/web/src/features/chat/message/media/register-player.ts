/** What registering needs of an audio or video element. */
type Player = Pick<HTMLMediaElement, "pause" | "addEventListener" | "removeEventListener">;

/** What began to play last. */
let current: Player | null = null;

/**
 * Registers an audio or video element. Of all registered ones of the page one plays at a time: what begins pauses what played. Returns a
 * function that removes it.
 */
export function registerPlayer(player: Player): () => void {
  const handlePlay = () => {
    const previous = current;
    current = player;
    if (previous !== player) previous?.pause();
  };
  player.addEventListener("play", handlePlay);
  return () => {
    player.removeEventListener("play", handlePlay);
    if (current === player) current = null;
  };
}

/** Pauses what plays, because the microphone would record it. */
export function pausePlayers(): void {
  current?.pause();
}
