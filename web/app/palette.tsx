// The palette: type a few letters of a screen, a site, an address or the id of an event, and go there; or of a choice, and make it.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Activity, ArrowRight, Crosshair, Globe, RadioTower, SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useEffect, useId, useMemo, useState } from 'react'
import { StateOfEvent } from '../features/events/state-of-event.tsx'
import { eventTitle, eventVictim } from '../features/events/titles.ts'
import { wordsOf } from '../features/events/words.ts'
import { useApi } from '../shared/api/api.ts'
import { Ago } from '../shared/format/moments.tsx'
import { useTranslator } from '../shared/i18n/i18n.tsx'
import { Pill } from '../shared/ui/basics.tsx'
import { Dialog } from '../shared/ui/overlays.tsx'
import { useActions } from './actions.ts'
import { type Found, ranked } from './ranking.ts'
import type { Place } from './screens.ts'

interface Entry extends Found {
  id: string
  icon: ReactNode
  text: string
  /** What it is, or how it stands. */
  note: ReactNode
  go: () => void
}

const queryMax = 100
/** Most results of each kind. */
const foundMax = 6

export function Palette({ places, onClose }: { places: readonly Place[]; onClose: () => void }) {
  const translator = useTranslator()
  const { t } = translator
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const [isLeaving, setLeaving] = useState(false)
  const list = useId()
  const wanted = text.trim().toLowerCase()
  // Kinds of attacks are found by what they are called on the screen.
  const { qAlso } = wordsOf(wanted, translator)
  const api = useApi()
  const actions = useActions()
  const { data, isPlaceholderData, isLoading } = useQuery({
    queryKey: ['search', wanted, qAlso],
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.call('search', { query: { q: wanted.slice(0, queryMax), qAlso }, signal }),
  })

  const entries = useMemo((): Entry[] => {
    const icon = <ArrowRight size={16} aria-hidden />
    const screens = places
      .filter(({ key }) => t(key).toLowerCase().includes(wanted))
      .map(({ to, key }) => ({
        id: to,
        kind: 'place' as const,
        name: t(key),
        icon,
        text: t(key),
        note: t('palette.screen'),
        go: () => void navigate({ to }),
      }))
    if (wanted === '') return screens
    const doing = actions
      .filter((action) => action.text.toLowerCase().includes(wanted))
      .map((action) => ({
        ...action,
        kind: 'place' as const,
        name: action.text,
        icon: <SlidersHorizontal size={16} aria-hidden />,
        note: t('palette.action'),
      }))
    const address = /^\d{1,3}(?:\.\d{1,3}){3}$/.test(wanted)
      ? [
          {
            id: `address ${wanted}`,
            kind: 'place' as const,
            name: wanted,
            icon: <Crosshair size={16} aria-hidden />,
            text: wanted,
            note: t('palette.address'),
            go: () => void navigate({ to: '/addresses', search: { address: wanted } }),
          },
        ]
      : []
    const event = /^[0-9a-f]{24}$/.test(wanted)
      ? [
          {
            id: wanted,
            kind: 'place' as const,
            name: wanted,
            icon: <Activity size={16} aria-hidden />,
            text: wanted,
            note: t('palette.event'),
            go: () => void navigate({ to: '/events/$id', params: { id: wanted } }),
          },
        ]
      : []
    const found = (data?.sites ?? []).slice(0, foundMax).map(({ host, isEnabled }) => ({
      id: `site ${host}`,
      kind: 'site' as const,
      name: host,
      icon: <Globe size={16} aria-hidden />,
      text: host,
      note: isEnabled ? t('palette.site') : <Pill tone="warn">{t('site.disabled')}</Pill>,
      go: () => void navigate({ to: '/sites/$host', params: { host } }),
    }))
    const events = (data?.events ?? []).slice(0, foundMax).map((event) => ({
      id: event.id,
      kind: 'event' as const,
      name: eventVictim(event, translator),
      icon: <Activity size={16} aria-hidden />,
      text: eventTitle(event, translator),
      note: (
        <>
          <Ago at={event.start} />
          <StateOfEvent event={event} />
        </>
      ),
      go: () => void navigate({ to: '/events/$id', params: { id: event.id } }),
    }))
    const exporters = (data?.exporters ?? []).slice(0, foundMax).map((id) => ({
      id: `source ${id}`,
      kind: 'source' as const,
      name: id,
      icon: <RadioTower size={16} aria-hidden />,
      text: id,
      note: t('palette.source'),
      go: () => void navigate({ to: '/sources/$id', params: { id } }),
    }))
    return ranked([...event, ...address, ...found, ...events, ...exporters, ...screens, ...doing], wanted)
  }, [places, actions, data, wanted, translator, t, navigate])

  const at = Math.min(chosen, entries.length - 1)
  const isWaiting = isPlaceholderData || isLoading
  const go = (entry: Entry | undefined) => {
    if (entry === undefined) return
    onClose()
    entry.go()
  }
  // Who types fast and presses Enter means what is about to be found.
  useEffect(() => {
    if (!isLeaving || isWaiting) return
    setLeaving(false)
    go(entries[at])
  })
  return (
    <Dialog bare title={t('palette.open')} onClose={onClose}>
      <input
        className="palette-input"
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={at >= 0 ? `${list}-${at}` : undefined}
        aria-label={t('palette.open')}
        placeholder={t('palette.hint')}
        value={text}
        autoFocus
        maxLength={255}
        onChange={(event) => {
          setText(event.target.value)
          setChosen(0)
          setLeaving(false)
        }}
        onKeyDown={(event) => {
          const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
          if (by !== undefined) {
            event.preventDefault()
            setChosen((at + by + entries.length) % Math.max(entries.length, 1))
          } else if (event.key === 'Enter') {
            if (isWaiting && chosen === 0) setLeaving(true)
            else go(entries[at])
          }
        }}
      />
      <ul className="palette-list" id={list} role="listbox" aria-label={t('palette.open')}>
        {entries.map((entry, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the input's.
          <li
            key={entry.id}
            id={`${list}-${i}`}
            role="option"
            aria-selected={i === at}
            onClick={() => go(entry)}
            onMouseMove={() => setChosen(i)}
          >
            {entry.icon}
            <span>{entry.text}</span>
            <small>{entry.note}</small>
          </li>
        ))}
      </ul>
      {entries.length === 0 && !isWaiting && <p className="state">{t('palette.nothing')}</p>}
    </Dialog>
  )
}
