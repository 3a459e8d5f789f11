// What the palette offers for what was typed: screens, actions, and what the service has found.
import type { useNavigate } from '@tanstack/react-router'
import { Activity, ArrowRight, Crosshair, Globe, RadioTower, SlidersHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Answered } from '../../client/call.ts'
import { StateOfEvent } from '../features/events/state-of-event.tsx'
import { eventTitle, eventVictim } from '../features/events/titles.ts'
import { Ago } from '../shared/format/moments.tsx'
import type { Translator } from '../shared/i18n/messages.ts'
import { Pill } from '../shared/ui/basics.tsx'
import type { Action } from './actions.ts'
import { type Findable, ranked } from './ranking.ts'
import type { Place } from './screens.ts'

export interface Entry extends Findable {
  id: string
  icon: ReactNode
  text: string
  /** What it is, or how it stands. */
  note: ReactNode
  go: () => void
}

interface PaletteInput {
  /** What was typed, in lower case. */
  wanted: string
  places: readonly Place[]
  actions: readonly Action[]
  /** Undefined: nothing was searched for, or no answer has come. */
  found: Answered<'search'> | undefined
  translator: Translator
  navigate: ReturnType<typeof useNavigate>
}

/** Most results of each kind. */
const foundMax = 6

/** The best first. */
export function entriesOf(given: PaletteInput): Entry[] {
  const { wanted } = given
  if (wanted === '') return screensOf(given)
  const results = [...sitesOf(given), ...eventsOf(given), ...exportersOf(given)]
  return ranked([...literal(given), ...results, ...screensOf(given), ...actionsOf(given)], wanted)
}

function screensOf({ wanted, places, translator: { t }, navigate }: PaletteInput): Entry[] {
  return places
    .filter(({ key }) => t(key).toLowerCase().includes(wanted))
    .map(({ to, key }) => ({
      ...{ id: to, kind: 'place', name: t(key), text: t(key), note: t('palette.screen') },
      icon: <ArrowRight size={16} aria-hidden />,
      go: () => void navigate({ to }),
    }))
}

function actionsOf({ wanted, actions, translator: { t } }: PaletteInput): Entry[] {
  return actions
    .filter(({ text }) => text.toLowerCase().includes(wanted))
    .map((action) => ({
      ...{ ...action, kind: 'place', name: action.text, note: t('palette.action') },
      icon: <SlidersHorizontal size={16} aria-hidden />,
    }))
}

/** The address, or the event, that was typed whole: it can be opened whether or not anything is known of it. */
function literal({ wanted, translator: { t }, navigate }: PaletteInput): Entry[] {
  const typed = { kind: 'place', name: wanted, text: wanted } as const
  if (/^[0-9a-f]{24}$/.test(wanted))
    return [
      {
        ...{ ...typed, id: wanted, note: t('palette.event') },
        icon: <Activity size={16} aria-hidden />,
        go: () => void navigate({ to: '/events/$id', params: { id: wanted } }),
      },
    ]
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(wanted)) return []
  return [
    {
      ...{ ...typed, id: `address ${wanted}`, note: t('palette.address') },
      icon: <Crosshair size={16} aria-hidden />,
      go: () => void navigate({ to: '/addresses', search: { address: wanted } }),
    },
  ]
}

function sitesOf({ found, translator: { t }, navigate }: PaletteInput): Entry[] {
  return (found?.sites ?? []).slice(0, foundMax).map(({ host, isEnabled }) => ({
    ...{ id: `site ${host}`, kind: 'site', name: host, text: host },
    icon: <Globe size={16} aria-hidden />,
    note: isEnabled ? t('palette.site') : <Pill tone="warn">{t('site.disabled')}</Pill>,
    go: () => void navigate({ to: '/sites/$host', params: { host } }),
  }))
}

function eventsOf({ found, translator, navigate }: PaletteInput): Entry[] {
  return (found?.events ?? []).slice(0, foundMax).map((event) => ({
    ...{ id: event.id, kind: 'event', name: eventVictim(event, translator), text: eventTitle(event, translator) },
    icon: <Activity size={16} aria-hidden />,
    note: (
      <>
        <Ago at={event.start} />
        <StateOfEvent event={event} />
      </>
    ),
    go: () => void navigate({ to: '/events/$id', params: { id: event.id } }),
  }))
}

function exportersOf({ found, translator: { t }, navigate }: PaletteInput): Entry[] {
  return (found?.exporters ?? []).slice(0, foundMax).map((id) => ({
    ...{ id: `source ${id}`, kind: 'source', name: id, text: id, note: t('palette.source') },
    icon: <RadioTower size={16} aria-hidden />,
    go: () => void navigate({ to: '/sources/$id', params: { id } }),
  }))
}
