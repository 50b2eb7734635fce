/**
 * The few icons of the screens before sign-in, on a 20 px grid, because the icon set is loaded with the shell. They are hidden from screen
 * readers. Each path is an element of its own: joined, a path that begins with a relative move would start where the previous one ended.
 */
function createIcon(...paths: readonly string[]) {
  function Icon({ size = 16 }: { size?: 14 | 16 | 48 }) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 20 20"
        fill="none"
        stroke="currentColor"
        strokeWidth={size === 48 ? 1 : 1.6}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        {paths.map((path) => (
          <path key={path} d={path} />
        ))}
      </svg>
    );
  }
  return Object.assign(Icon, { paths });
}

const RING = "M10 3a7 7 0 1 0 0 14a7 7 0 1 0 0-14z";
const EYE = "M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5z";

export const ChevronDownIcon = createIcon("m5.5 8 4.5 4.5L14.5 8");
export const ChevronUpIcon = createIcon("M5.5 12.5 10 8l4.5 4.5");
export const CrossIcon = createIcon("m5.5 5.5 9 9m0-9-9 9");
export const AlertIcon = createIcon(RING, "M10 6.5v4.2M10 13.4v.1");
export const CheckIcon = createIcon(RING, "M7 10.2l2.1 2.1 4-4.4");
export const InfoIcon = createIcon(RING, "M10 9.4v4M10 6.6v.1");
export const EyeIcon = createIcon(EYE, "M10 7.8a2.2 2.2 0 1 0 0 4.4a2.2 2.2 0 1 0 0-4.4z");
export const EyeOffIcon = createIcon(EYE, "M4 16.5l12-13");
export const GlobeIcon = createIcon(
  RING,
  "M3.2 10h13.6M10 3c2 2 2.8 4.4 2.8 7s-.8 5-2.8 7c-2-2-2.8-4.4-2.8-7S8 5 10 3z",
);
export const ServerIcon = createIcon(
  "M4.7 4h10.6a1.2 1.2 0 0 1 1.2 1.2v2.6A1.2 1.2 0 0 1 15.3 9H4.7a1.2 1.2 0 0 1-1.2-1.2V5.2A1.2 1.2 0 0 1 4.7 4z",
  "M4.7 11h10.6a1.2 1.2 0 0 1 1.2 1.2v2.6a1.2 1.2 0 0 1-1.2 1.2H4.7a1.2 1.2 0 0 1-1.2-1.2v-2.6A1.2 1.2 0 0 1 4.7 11z",
  "M6.5 6.5v.01M6.5 13.5v.01",
);
export const CameraIcon = createIcon(
  "M3 7a1.5 1.5 0 0 1 1.5-1.5h2L8 3.5h4l1.5 2h2A1.5 1.5 0 0 1 17 7v7.5a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 14.5z",
  "M10 7.7a2.8 2.8 0 1 0 0 5.6a2.8 2.8 0 1 0 0-5.6z",
);
export const PersonIcon = createIcon(
  "M10 4a3 3 0 1 0 0 6a3 3 0 1 0 0-6z",
  "M4.2 16.5c.5-3 2.8-4.6 5.8-4.6s5.3 1.6 5.8 4.6",
);
