// What is wider than the screen and scrolls by itself: then, and only then, it can have the focus, so that arrow keys move it.
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

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
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return
    // The observer is asked once the browser has laid out the page and before it paints: sizes cost nothing to read then, and what is cut can have the
    // focus in that very frame.
    const observer = new ResizeObserver(() => {
      const cut = current.scrollWidth > current.clientWidth || current.scrollHeight > current.clientHeight
      flushSync(() => setCut(cut))
    })
    observer.observe(current)
    if (current.firstElementChild !== null) observer.observe(current.firstElementChild)
    return () => observer.disconnect()
  }, [])
  const focusable = isCut ? { tabIndex: 0, role: 'region', 'aria-label': label } : {}
  return (
    <section ref={element} className={`table-scroll ${className}`} {...focusable}>
      {children}
    </section>
  )
}
