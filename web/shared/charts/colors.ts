// The theme's colours for a canvas, which knows no variables.
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** The colour of a token where the element is, as the browser computes it; with an opacity if one is given. */
export function colorOf(element: HTMLElement, token: string, opacity = 1): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${token})`
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  if (opacity === 1) return color
  const channels = color.match(/[\d.]+/g)?.slice(0, 3) ?? ['128', '128', '128']
  return `rgba(${channels.join(', ')}, ${opacity})`
}

/** Another number whenever the colours are others. */
export function useThemeVersion(): number {
  const [version, setVersion] = useState(0)
  useEffect(() => {
    const count = () => setVersion((before) => before + 1)
    const system = matchMedia('(prefers-color-scheme: dark)')
    // Paper is light, and does not wait for the next draw.
    const paper = matchMedia('print')
    const countAtOnce = () => flushSync(count)
    const chosen = new MutationObserver(count)
    system.addEventListener('change', count)
    paper.addEventListener('change', countAtOnce)
    chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      system.removeEventListener('change', count)
      paper.removeEventListener('change', countAtOnce)
      chosen.disconnect()
    }
  }, [])
  return version
}
