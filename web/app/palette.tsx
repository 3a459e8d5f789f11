// The palette: type a few letters of a screen, a site, an address or the id of an event, and go there.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Activity, ArrowRight, Crosshair, Globe, RadioTower } from 'lucide-react'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { attackName } from '../features/events/vectors.ts'
import { useApi } from '../shared/api/api.ts'
import { useTranslator } from '../shared/i18n/i18n.tsx'
import { Dialog } from '../shared/ui/overlays.tsx'
import type { Place } from './shortcuts.tsx'

interface Entry {
  id: string
  icon: ReactNode
  text: string
  kind: string
  go: () => void
}

const queryMax = 100
/** Of each kind. */
const foundMax = 6

export function Palette({ places, onClose }: { places: readonly Place[]; onClose: () => void }) {
  const translator = useTranslator()
  const { t } = translator
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const list = useId()
  const wanted = text.trim().toLowerCase()
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['search', wanted],
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.call('search', { search: { q: wanted.slice(0, queryMax) }, signal }),
  })

  const entries = useMemo((): Entry[] => {
    const icon = <ArrowRight size={16} aria-hidden />
    const screens = places
      .filter(({ key }) => t(key).toLowerCase().includes(wanted))
      .map(({ to, key }) => ({
        id: to,
        icon,
        text: t(key),
        kind: t('palette.screen'),
        go: () => void navigate({ to }),
      }))
    if (wanted === '') return screens
    const address = /^\d{1,3}(?:\.\d{1,3}){3}$/.test(wanted)
      ? [
          {
            id: `address ${wanted}`,
            icon: <Crosshair size={16} aria-hidden />,
            text: wanted,
            kind: t('palette.address'),
            go: () => void navigate({ to: '/addresses', search: { address: wanted } }),
          },
        ]
      : []
    const event = /^[0-9a-f]{24}$/.test(wanted)
      ? [
          {
            id: wanted,
            icon: <Activity size={16} aria-hidden />,
            text: wanted,
            kind: t('palette.event'),
            go: () => void navigate({ to: '/events/$id', params: { id: wanted } }),
          },
        ]
      : []
    const found = (data?.sites ?? []).slice(0, foundMax).map(({ host }) => ({
      id: `site ${host}`,
      icon: <Globe size={16} aria-hidden />,
      text: host,
      kind: t('palette.site'),
      go: () => void navigate({ to: '/sites/$host', params: { host } }),
    }))
    const events = (data?.events ?? []).slice(0, foundMax).map(({ id, attackType, address, domain }) => ({
      id,
      icon: <Activity size={16} aria-hidden />,
      text: `${attackName(attackType, translator)}: ${domain === '' ? address : domain}`,
      kind: t('palette.event'),
      go: () => void navigate({ to: '/events/$id', params: { id } }),
    }))
    const exporters = (data?.exporters ?? []).slice(0, foundMax).map((id) => ({
      id: `source ${id}`,
      icon: <RadioTower size={16} aria-hidden />,
      text: id,
      kind: t('palette.source'),
      go: () => void navigate({ to: '/sources/$id', params: { id } }),
    }))
    return [...event, ...address, ...found, ...events, ...exporters, ...screens]
  }, [places, data, wanted, translator, t, navigate])

  const at = Math.min(chosen, entries.length - 1)
  const go = (entry: Entry | undefined) => {
    if (entry === undefined) return
    onClose()
    entry.go()
  }
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
        }}
        onKeyDown={(event) => {
          const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
          if (by !== undefined) {
            event.preventDefault()
            setChosen((at + by + entries.length) % Math.max(entries.length, 1))
          } else if (event.key === 'Enter') go(entries[at])
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
            {entry.text}
            <small>{entry.kind}</small>
          </li>
        ))}
      </ul>
      {entries.length === 0 && <p className="state">{t('palette.nothing')}</p>}
    </Dialog>
  )
}
