// Whether a component has been seen: what takes long to draw comes in the frame after it, and holds up nothing that can be read.
import { useEffect, useState } from 'react'

/** False until the browser has painted what the component showed first. */
export function usePainted(): boolean {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    // Frames are painted after what asked to be called for them, and before timers that it sets.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(true))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [])
  return isPainted
}
