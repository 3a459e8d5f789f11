// The sign of the product.

export function Mark() {
  return (
    <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#1f5fd6" />
      <path
        d="M6 21c3 0 3-2.4 5-2.4s2 2.4 5 2.4 3-2.4 5-2.4 2 2.4 5 2.4M8 14.6 12 11l4 2.6L23 7"
        fill="none"
        stroke="#fff"
        strokeWidth="2.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
