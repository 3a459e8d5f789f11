// Keys: where to go, the palette, the list of keys. Keys that belong to one screen are the screen's.
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslator } from '../shared/i18n/i18n.tsx'
import { isTyping } from '../shared/ui/keyboard.ts'
import { Dialog } from '../shared/ui/overlays.tsx'
import type { Place } from './screens.ts'

const sequenceMs = 1_200

export function useShortcuts({
  places,
  onPalette,
  onHelp,
}: {
  places: readonly Place[]
  onPalette: () => void
  onHelp: () => void
}): void {
  const navigate = useNavigate()
  const goMs = useRef(0)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        return onPalette()
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const place = places.find(({ letter }) => letter === event.key)
      if (place !== undefined && event.timeStamp - goMs.current < sequenceMs) {
        goMs.current = 0
        event.preventDefault()
        void navigate({ to: place.to })
      } else if (event.key === 'g') goMs.current = event.timeStamp
      else if (event.key === '/') {
        event.preventDefault()
        onPalette()
      } else if (event.key === '?') onHelp()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [places, onPalette, onHelp, navigate])
}

const ofLists = [
  { keys: ['j', 'k'], key: 'keys.move' },
  { keys: ['Enter'], key: 'keys.open' },
  { keys: ['Esc'], key: 'keys.close' },
] as const

export function Shortcuts({ places, onClose }: { places: readonly Place[]; onClose: () => void }) {
  const { t } = useTranslator()
  return (
    <Dialog title={t('keys.title')} onClose={onClose}>
      <dl className="keys">
        <Keys keys={['/']} text={t('palette.open')} />
        <Keys keys={['Ctrl', 'K']} text={t('palette.open')} />
        <Keys keys={['?']} text={t('keys.title')} />
        {ofLists.map(({ keys, key }) => (
          <Keys key={key} keys={keys} text={t(key)} />
        ))}
        {places.map(({ to, key, letter }) => (
          <Keys key={to} keys={['g', letter]} text={t(key)} />
        ))}
      </dl>
    </Dialog>
  )
}

function Keys({ keys, text }: { keys: readonly string[]; text: string }) {
  return (
    <>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{text}</dd>
    </>
  )
}
