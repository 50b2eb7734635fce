/** The product's logo: a bubble with two lines on a rounded square. */
export function Logo({ size = 40 }: { size?: number }) {
  return (
    <svg
      stroke="var(--on-accent)"
      width={size}
      height={size}
      viewBox="0 0 40 40"
      fill="none"
      aria-hidden="true"
    >
      <rect fill="var(--accent)" stroke="none" width="40" height="40" rx="10" />
      <path
        d="M14.6 11h10.8a3.6 3.6 0 0 1 3.6 3.6v6.8a3.6 3.6 0 0 1-3.6 3.6h-6.3L14 29.4V25a3 3 0 0 1-3-3v-7.4a3.6 3.6 0 0 1 3.6-3.6z"
        strokeWidth="2.2"
        strokeLinejoin="round"
      />
      <path d="M16 16.5h8M16 20.2h5" strokeWidth="2.2" strokeLinecap="round" />
    </svg>
  );
}
