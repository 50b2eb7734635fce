import type { Client } from "@parley/core/client-api";
import { isUnheard } from "@parley/core/model/chats/played-voices";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { currentMessage } from "../message-state.ts";
import { voiceOf } from "../media/media-content.ts";
import { claimSound, releaseSound } from "../media/sound-focus.ts";
import { type PlayingVoice, SPEEDS, useVoiceStore } from "./voice-store.ts";
import { nextVoice } from "./voice.ts";

/** How often the position is reported while it plays: often enough that the bars move smoothly. */
const POSITION_MS = 100;

/**
 * Plays voice messages, one at a time in the page. It is outside the bubbles, so that it plays on while its message is scrolled away or
 * another chat is open. It ends with the session.
 */
class VoicePlayer {
  readonly #audio = new Audio();
  #client: Client | null = null;
  #unsubscribe: () => void = () => {};
  #timer = 0;
  /** An object URL of a voice message that this page sends. */
  #localUrl: string | null = null;

  constructor() {
    const audio = this.#audio;
    audio.preload = "auto";
    audio.addEventListener("play", () => claimSound(this.pause));
    audio.addEventListener("ended", () => this.#ended());
    audio.addEventListener("error", () => void this.#failed());
    audio.addEventListener("pause", () => this.#showPaused());
    audio.addEventListener("playing", () => this.#showPlaying());
    // A recording may not say how long it is until it was read to its end.
    audio.addEventListener("durationchange", () => {
      if (Number.isFinite(audio.duration) && audio.duration > 0) this.#update({ duration: audio.duration });
    });
  }

  /** Plays a message from a position in seconds, or goes on with it. */
  play(client: Client, chatKey: ChatKey, message: ChatMessage, from?: number): void {
    const { current } = useVoiceStore.getState();
    const isSame = current?.message.key === message.key && current.problem === null;
    if (!isSame && !this.#load(client, chatKey, message)) return;
    if (from !== undefined) this.seek(from);
    this.#audio.playbackRate = useVoiceStore.getState().speed;
    // A refusal is reported by the event `error`, or is an abort by the next call.
    this.#audio.play().catch(() => this.#showPaused());
    if (message.id !== null && isUnheard(client.getState().played, chatKey, message))
      client.chats.markPlayed(chatKey, message.id);
  }

  readonly pause = (): void => this.#audio.pause();

  /** Moves to a position in seconds. */
  seek(seconds: number): void {
    const duration = useVoiceStore.getState().current?.duration ?? 0;
    const position = Math.min(Math.max(0, seconds), Math.max(0, duration));
    this.#audio.currentTime = position;
    this.#update({ position });
  }

  /** Plays at the next of the three speeds, and all later ones too. */
  changeSpeed(): void {
    const { speed } = useVoiceStore.getState();
    const next = SPEEDS[(SPEEDS.findIndex((one) => one === speed) + 1) % SPEEDS.length] ?? 1;
    this.#audio.playbackRate = next;
    useVoiceStore.setState({ speed: next });
  }

  /** Ends the playing. */
  readonly stop = (): void => {
    window.clearInterval(this.#timer);
    releaseSound(this.pause);
    this.#unsubscribe();
    this.#unsubscribe = () => {};
    this.#audio.pause();
    this.#audio.removeAttribute("src");
    // Without a source this ends what is still being loaded.
    this.#audio.load();
    this.#dropLocal();
    useVoiceStore.setState({ current: null });
  };

  #load(client: Client, chatKey: ChatKey, message: ChatMessage): boolean {
    const voice = voiceOf(message);
    const local = message.tmpId === null ? undefined : client.chats.localFile(message.tmpId)?.file;
    if (voice === null || (voice.url === null && local === undefined)) return false;
    this.#dropLocal();
    if (voice.url === null && local instanceof Blob) this.#localUrl = URL.createObjectURL(local);
    this.#audio.src = this.#localUrl ?? (voice.url === null ? "" : client.fileUrl(voice.url));
    this.#watch(client);
    const { duration } = voice;
    const started = { chatKey, message, isPlaying: false, position: 0, duration, problem: null };
    useVoiceStore.setState({ current: started });
    return true;
  }

  #dropLocal(): void {
    if (this.#localUrl !== null) URL.revokeObjectURL(this.#localUrl);
    this.#localUrl = null;
  }

  /** Nothing of one account is heard in the next. A message that is recalled or deleted is silent too. */
  #watch(client: Client): void {
    this.#unsubscribe();
    this.#client = client;
    const userId = client.getState().me?.id ?? null;
    this.#unsubscribe = client.subscribe(() => {
      const { me, chats } = client.getState();
      const { current } = useVoiceStore.getState();
      if ((me?.id ?? null) !== userId) return this.stop();
      const chat = current === null ? undefined : chats.byKey[current.chatKey];
      if (current === null || chat === undefined) return;
      const message = currentMessage(current.message, chat);
      if (message === null) this.stop();
      else if (message !== current.message) this.#update({ message });
    });
  }

  #showPlaying(): void {
    this.#update({ isPlaying: true });
    window.clearInterval(this.#timer);
    this.#timer = window.setInterval(() => this.#update({ position: this.#audio.currentTime }), POSITION_MS);
  }

  #showPaused(): void {
    if (!this.#audio.paused) return;
    window.clearInterval(this.#timer);
    this.#update({ position: this.#audio.currentTime, isPlaying: false });
  }

  #update(part: Partial<PlayingVoice>): void {
    const { current } = useVoiceStore.getState();
    if (current !== null) useVoiceStore.setState({ current: { ...current, ...part } });
  }

  #ended(): void {
    const { current } = useVoiceStore.getState();
    const client = this.#client;
    if (current === null || client === null) return;
    const { chats, played } = client.getState();
    const messages = chats.byKey[current.chatKey]?.window.messages ?? [];
    const isHeard = (message: ChatMessage) => !isUnheard(played, current.chatKey, message);
    const next = nextVoice(messages, current.message.key, isHeard);
    if (next === null) this.stop();
    else this.play(client, current.chatKey, next);
  }

  async #failed(): Promise<void> {
    const { src, error } = this.#audio;
    if (error === null || !this.#audio.hasAttribute("src")) return;
    const isReachable = error.code !== MediaError.MEDIA_ERR_NETWORK && (await canBeLoaded(src));
    if (this.#audio.src === src) this.#update({ isPlaying: false, problem: isReachable ? "format" : "load" });
  }
}

/** Whether the server has the file: then it is the browser that cannot play it. The event `error` does not tell the two apart. */
async function canBeLoaded(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { method: "HEAD" })).ok;
  } catch {
    return false;
  }
}

/** The player of this page. */
export const voicePlayer = new VoicePlayer();
