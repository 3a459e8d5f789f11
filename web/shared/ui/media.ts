// Whether a condition about the screen holds, as it changes: a window is narrowed, a phone is turned.
import { useCallback, useSyncExternalStore } from 'react'

/** The same widths as in the style sheets. */
export const phoneScreen = '(max-width: 720px)'

export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}
