// A link in a long list. The router's own works out its address at every draw, and a list that is scrolled draws a thousand a second.
import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'

type Place = { to: '/events/$id'; params: { id: string } } | { to: '/sites/$host'; params: { host: string } }

export type RowLinkProps = Place & { className?: string; children: ReactNode }

export function RowLink({ className = 'row-link', children, ...place }: RowLinkProps) {
  const router = useRouter()
  const go = (event: MouseEvent) => {
    const isElsewhere = event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
    if (isElsewhere || event.defaultPrevented) return
    event.preventDefault()
    void router.navigate(place)
  }
  return (
    <a
      href={addressOf(router.basepath, place)}
      className={className}
      onClick={go}
      onPointerEnter={() => void router.preloadRoute(place)}
    >
      {children}
    </a>
  )
}

function addressOf(basepath: string, place: Place): string {
  const path = Object.entries(place.params).reduce(
    (filled, [name, value]) => filled.replace(`$${name}`, encodeURIComponent(value)),
    place.to as string,
  )
  return basepath.replace(/\/$/, '') + path
}
