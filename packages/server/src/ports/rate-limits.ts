/** How often people may do what costs much, as an administrator sets it. */

export interface Rate {
  readonly times: number;
  readonly seconds: number;
}

export interface RateLimits {
  /** Messages of one person; so many at once after a rest. */
  readonly sends: Rate & { readonly atOnce: number };
  /** Wrong passwords for one name from one address. */
  readonly logins: Rate;
  /** Accounts made from one address. */
  readonly registrations: Rate;
  /** Files of one person. */
  readonly uploads: Rate;
}

export const DEFAULT_RATE_LIMITS: RateLimits = {
  sends: { times: 50, seconds: 1, atOnce: 200 },
  logins: { times: 10, seconds: 600 },
  registrations: { times: 200, seconds: 3_600 },
  uploads: { times: 60, seconds: 60 },
};

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
/** Longer ones would be more than a timer can wait. */
const WINDOW_SECONDS_MAX = 7 * 86_400;
const ENTRY =
  /^(sends|logins|registrations|uploads)=([1-9]\d{0,5})\/([1-9]\d{0,3})?([smhd])(?::([1-9]\d{0,5}))?$/;

/** `sends=50/s:200,logins=10/10m`: times in a period, and for sends how many at once; what is not named keeps its default. null: not that. */
export function readRateLimits(text: string): RateLimits | null {
  const found = new Map<string, Rate & { atOnce: number }>();
  for (const entry of text.split(",")) {
    const [, name = "", times, count = "1", unit = "", atOnce] = ENTRY.exec(entry.trim()) ?? [];
    const seconds = Number(count) * (SECONDS[unit] ?? 0);
    const isBurst = atOnce !== undefined;
    if (seconds === 0 || seconds > WINDOW_SECONDS_MAX || found.has(name)) return null;
    if (isBurst && name !== "sends") return null;
    found.set(name, { times: Number(times), seconds, atOnce: Number(atOnce ?? times) });
  }
  const { sends, logins, registrations, uploads } = DEFAULT_RATE_LIMITS;
  const rateOf = (name: string, otherwise: Rate): Rate => {
    const { times, seconds } = found.get(name) ?? otherwise;
    return { times, seconds };
  };
  return {
    sends: found.get("sends") ?? sends,
    logins: rateOf("logins", logins),
    registrations: rateOf("registrations", registrations),
    uploads: rateOf("uploads", uploads),
  };
}
