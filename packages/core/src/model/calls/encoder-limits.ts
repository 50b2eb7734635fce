/** The largest picture that is sent to each of the others in a call. */
export interface PictureLimit {
  readonly height: number;
  readonly framesPerSecond: number;
  readonly bitsPerSecond: number;
}

const limit = (height: number, framesPerSecond: number, kilobitsPerSecond: number): PictureLimit => ({
  height,
  framesPerSecond,
  bitsPerSecond: kilobitsPerSecond * 1_000,
});

/** From two people on. Everybody sends to everybody, so the sum for one person stays below 1.6 Mbit/s. */
const CAMERA = [
  limit(720, 30, 1_500),
  limit(540, 25, 700),
  limit(360, 20, 400),
  limit(270, 20, 280),
  limit(270, 15, 220),
  limit(180, 15, 150),
  limit(180, 15, 130),
] as const;

const CAMERA_OF_MANY = limit(180, 12, 110);

/** A screen has to be legible rather than smooth. */
const SCREEN = limit(720, 5, 800);
const SCREEN_OF_MANY = limit(720, 5, 350);
const MANY = 5;

/**
 * What to send in a call of this many people who are in it, myself included: the first of these, and the others one after the other while
 * the computer or the network cannot send that.
 */
export function encoderLimits(people: number, isScreen = false): readonly [PictureLimit, ...PictureLimit[]] {
  if (isScreen) return people < MANY ? [SCREEN, SCREEN_OF_MANY] : [SCREEN_OF_MANY];
  const [first, ...smaller] = CAMERA.slice(Math.max(0, people - 2));
  return first === undefined ? [CAMERA_OF_MANY] : [first, ...smaller, CAMERA_OF_MANY];
}
