// What is wider than the screen and scrolls by itself: then, and only then, it can have the focus, so that arrow keys move it.
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

export function Scroll({
  label,
  className = '',
  children,
}: {
  label: string
  className?: string
  children: ReactNode
}) {
  const element = useRef<HTMLElement>(null)
  const [isCut, setCut] = useState(false)
  const look = useCallback(() => {
    const { current } = element
    if (current === null) return
    setCut(current.scrollWidth > current.clientWidth || current.scrollHeight > current.clientHeight)
  }, [])
  // What has just come may be wider: it can have the focus from its first frame on, not some frames later.
  useLayoutEffect(look)
  useEffect(() => {
    const { current } = element
    if (current === null) return
    const observer = new ResizeObserver(look)
    observer.observe(current)
    if (current.firstElementChild !== null) observer.observe(current.firstElementChild)
    return () => observer.disconnect()
  }, [look])
  const focusable = isCut ? { tabIndex: 0, role: 'region', 'aria-label': label } : {}
  return (
    <section ref={element} className={`table-scroll ${className}`} {...focusable}>
      {children}
    </section>
  )
}
