// The palette: type a few letters of a screen, a site, an address or the id of an event, and go there; or of a choice,
// and make it.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useMemo, useState } from 'react'
import { wordsOf } from '../features/events/words.ts'
import { useApi } from '../shared/api/api.ts'
import { useTranslator } from '../shared/i18n/i18n.tsx'
import { Dialog } from '../shared/ui/overlays.tsx'
import { useActions } from './actions.ts'
import { type Entry, entriesOf } from './palette-entries.tsx'
import type { Place } from './screens.ts'

const queryMax = 100

export function Palette({ places, onClose }: { places: readonly Place[]; onClose: () => void }) {
  const { t } = useTranslator()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const [isLeaving, setLeaving] = useState(false)
  const list = useId()
  const { entries, isWaiting } = useEntries(text.trim().toLowerCase(), places)
  const at = Math.min(chosen, entries.length - 1)
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
      <EntryList id={list} entries={entries} at={at} onPoint={setChosen} onGo={go} />
      {entries.length === 0 && !isWaiting && <p className="state">{t('palette.nothing')}</p>}
    </Dialog>
  )
}

/** What is offered for what was typed, and whether more of it is on its way. */
function useEntries(wanted: string, places: readonly Place[]): { entries: Entry[]; isWaiting: boolean } {
  const translator = useTranslator()
  const navigate = useNavigate()
  const api = useApi()
  const actions = useActions()
  // Kinds of attacks are found by what they are called on the screen.
  const { qAlso } = wordsOf(wanted, translator)
  const { data, isPlaceholderData, isLoading } = useQuery({
    queryKey: ['search', wanted, qAlso],
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.call('search', { query: { q: wanted.slice(0, queryMax), qAlso }, signal }),
  })
  const entries = useMemo(
    () => entriesOf({ wanted, places, actions, found: data, translator, navigate }),
    [wanted, places, actions, data, translator, navigate],
  )
  return { entries, isWaiting: isPlaceholderData || isLoading }
}

interface EntryListProps {
  id: string
  entries: readonly Entry[]
  /** The row of the entry that is chosen. */
  at: number
  onPoint: (row: number) => void
  onGo: (entry: Entry) => void
}

function EntryList({ id, entries, at, onPoint, onGo }: EntryListProps) {
  const { t } = useTranslator()
  return (
    <ul className="palette-list" id={id} role="listbox" aria-label={t('palette.open')}>
      {entries.map((entry, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the input's.
        <li
          key={entry.id}
          id={`${id}-${i}`}
          role="option"
          aria-selected={i === at}
          onClick={() => onGo(entry)}
          onMouseMove={() => onPoint(i)}
        >
          {entry.icon}
          <span>{entry.text}</span>
          <small>{entry.note}</small>
        </li>
      ))}
    </ul>
  )
}
