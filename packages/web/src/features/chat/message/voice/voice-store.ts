import { create } from "zustand";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";

/** Why a voice message does not play: this browser does not know its format, or it could not be loaded. */
export type VoiceProblem = "format" | "load";

/** The voice message that plays, or is paused. */
export interface PlayingVoice {
  readonly chatKey: ChatKey;
  readonly message: ChatMessage;
  readonly isPlaying: boolean;
  /** Seconds. */
  readonly position: number;
  readonly duration: number;
  readonly problem: VoiceProblem | null;
}

/** The speeds that one can choose. */
export const SPEEDS = [1, 1.5, 2] as const;

interface VoiceState {
  readonly current: PlayingVoice | null;
  readonly speed: number;
}

/** What plays in this page. Only `voice-player.ts` changes it; it is apart, so that a screen can ask without loading the player. */
export const useVoiceStore = create<VoiceState>(() => ({ current: null, speed: 1 }));
