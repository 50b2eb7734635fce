/** Rate limits for expensive actions, as an administrator sets them. */

/** How many times in how many seconds. */
export interface Rate {
  readonly times: number;
  readonly seconds: number;
}

/** A rate that is saved up during a pause: then `atOnce` times may come at once. */
export interface SavedRate extends Rate {
  readonly atOnce: number;
}

/** The limits that an administrator can set. */
export interface RateLimits {
  /** Messages of one person. */
  readonly sends: SavedRate;
  /** Work that one person asks for with calls of the API, in points: a cheap call is one. */
  readonly calls: SavedRate;
  /** HTTP requests of one address. Other limits of addresses are parts of it. */
  readonly requests: SavedRate;
  /** Frames that come from one socket after its login. Those of new sockets, people and addresses are parts or multiples of it. */
  readonly frames: SavedRate;
  /** Wrong passwords for one name from one address. */
  readonly logins: Rate;
  /** Accounts registered from one address. */
  readonly registrations: Rate;
  /** Files uploaded by one person. */
  readonly uploads: Rate;
}

export const DEFAULT_RATE_LIMITS: RateLimits = {
  sends: { times: 50, seconds: 1, atOnce: 200 },
  // A client needs some 40 points at its start, and a few hundred a minute while somebody uses it.
  calls: { times: 60, seconds: 1, atOnce: 3_000 },
  // Hundreds of people may start their clients behind one address in the same minute.
  requests: { times: 1_000, seconds: 1, atOnce: 60_000 },
  // A client needs one in five seconds, and a pong in 25.
  frames: { times: 10, seconds: 1, atOnce: 100 },
  logins: { times: 10, seconds: 600 },
  registrations: { times: 200, seconds: 3_600 },
  uploads: { times: 60, seconds: 60 },
};

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
/** A timer cannot wait for longer windows. */
const WINDOW_SECONDS_MAX = 7 * 86_400;
const SAVED = ["sends", "calls", "requests", "frames"];
const ENTRY =
  /^(sends|calls|requests|frames|logins|registrations|uploads)=([1-9]\d{0,5})\/([1-9]\d{0,3})?([smhd])(?::([1-9]\d{0,5}))?$/;

/**
 * Parses a text such as `sends=50/s:200,logins=10/10m`: times in a period, and for those that are saved up how many at once. Other limits
 * keep their defaults. Returns null for a malformed text.
 */
export function readRateLimits(text: string): RateLimits | null {
  const rates = new Map<string, Rate & { atOnce: number }>();
  for (const entry of text.split(",")) {
    const [, name = "", times, count = "1", unit = "", atOnce] = ENTRY.exec(entry.trim()) ?? [];
    const seconds = Number(count) * (SECONDS[unit] ?? 0);
    const isBurst = atOnce !== undefined;
    if (seconds === 0 || seconds > WINDOW_SECONDS_MAX || rates.has(name)) return null;
    if (isBurst && !SAVED.includes(name)) return null;
    rates.set(name, { times: Number(times), seconds, atOnce: Number(atOnce ?? times) });
  }
  const { sends, calls, requests, frames, logins, registrations, uploads } = DEFAULT_RATE_LIMITS;
  const rateOf = (name: string, fallback: Rate): Rate => {
    const { times, seconds } = rates.get(name) ?? fallback;
    return { times, seconds };
  };
  return {
    sends: rates.get("sends") ?? sends,
    calls: rates.get("calls") ?? calls,
    requests: rates.get("requests") ?? requests,
    frames: rates.get("frames") ?? frames,
    logins: rateOf("logins", logins),
    registrations: rateOf("registrations", registrations),
    uploads: rateOf("uploads", uploads),
  };
}
