// What a screen draws once its first part has been painted: what has to be scrolled to does not hold up what is seen at once.
import type { ReactNode } from 'react'
import { usePainted } from './painted.ts'

export function Afterwards({ children }: { children: ReactNode }) {
  const isPainted = usePainted()
  return isPainted && children
}
