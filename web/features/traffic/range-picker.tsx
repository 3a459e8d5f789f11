// Which time is looked at: up to now, or from then to then; and by which clock.
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { readLocal, writeLocal, zoneName } from '../../shared/format/times.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Field, Segments } from '../../shared/ui/basics.tsx'
import { CopyButton, Dialog } from '../../shared/ui/overlays.tsx'
import { usePreferences } from '../../shared/ui/preferences.tsx'
import type { Traffic } from './queries.ts'
import { type Span, spanNames, spans, type TrafficSearch } from './search.ts'
import './traffic-page.css'

interface RangePickerProps {
  search: TrafficSearch
  /** Undefined: not known yet. */
  traffic: Traffic | undefined
  onChange: (changed: { start?: string | undefined; end?: string | undefined; last?: Span | undefined }) => void
}

const keptHours = 24

export function RangePicker({ search, traffic, onChange }: RangePickerProps) {
  const { t, language } = useTranslator()
  const [{ zone }, prefer] = usePreferences()
  const [isOpen, setOpen] = useState(false)
  const { start, last = '24h' } = search
  // What is not kept is not offered.
  const offered = spanNames.filter((name) => spans[name] <= (traffic?.keptDays ?? 1) * keptHours || name === last)
  const shift = (by: number) => {
    if (traffic === undefined) return
    const [from, to] = [Date.parse(traffic.from), Date.parse(traffic.to)]
    const length = to - from
    const end = to + by * length
    if (end >= Date.now()) onChange({ start: undefined, end: undefined })
    else onChange({ start: isoOf(end - length), end: isoOf(end) })
  }
  const choices = offered.map((name) => ({ value: name as Span | 'fixed', label: t(`traffic.span.${name}`) }))
  return (
    <div className="row range">
      <Segments
        label={t('traffic.range')}
        value={start === undefined ? last : 'fixed'}
        onChange={(chosen) =>
          chosen === 'fixed' ? setOpen(true) : onChange({ last: chosen, start: undefined, end: undefined })
        }
        choices={[...choices, { value: 'fixed' as const, label: t('traffic.fixed') }]}
      />
      <span className="shift">
        <Button look="ghost" label={t('traffic.earlier')} onClick={() => shift(-1)}>
          <ChevronLeft size={16} aria-hidden />
        </Button>
        <Button look="ghost" label={t('traffic.later')} disabled={start === undefined} onClick={() => shift(1)}>
          <ChevronRight size={16} aria-hidden />
        </Button>
      </span>
      <Button title={t('prefer.zone')} onClick={() => prefer({ zone: zone === 'utc' ? 'local' : 'utc' })}>
        {zoneName(Date.now(), language, zone)}
      </Button>
      {traffic !== undefined && <CopyButton text={fixedLink(traffic)} label={t('event.copyLink')} />}
      {isOpen && (
        <FixedRange
          fromMs={Date.parse(traffic?.from ?? '') || Date.now() - 86_400_000}
          toMs={Date.parse(traffic?.to ?? '') || Date.now()}
          onClose={() => setOpen(false)}
          onChange={(fromMs, toMs) => onChange({ start: isoOf(fromMs), end: isoOf(toMs) })}
        />
      )}
    </div>
  )
}

/** A link to just this time, which goes on meaning it. */
function fixedLink({ from, to }: Traffic): string {
  const url = new URL(location.href)
  url.searchParams.delete('last')
  url.searchParams.set('start', from)
  url.searchParams.set('end', to)
  return url.href
}

function FixedRange({
  fromMs,
  toMs,
  onClose,
  onChange,
}: {
  fromMs: number
  toMs: number
  onClose: () => void
  onChange: (fromMs: number, toMs: number) => void
}) {
  const { t, language } = useTranslator()
  const [{ zone }] = usePreferences()
  const read = (text: string) => readLocal(text, zone)
  const [from, setFrom] = useState(writeLocal(fromMs, zone))
  const [to, setTo] = useState(writeLocal(toMs, zone))
  const isWrong = !(read(to) - read(from) >= 60_000)
  return (
    <Dialog title={t('traffic.fixedTitle')} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          onClose()
          onChange(read(from), read(to))
        }}
      >
        <Field label={t('traffic.from')} hint={zoneName(fromMs, language, zone)}>
          {(props) => (
            <input
              {...props}
              type="datetime-local"
              className="input"
              value={from}
              onChange={(event) => setFrom(event.target.value)}
            />
          )}
        </Field>
        <Field label={t('traffic.to')} error={isWrong ? t('traffic.wrongOrder') : null}>
          {(props) => (
            <input
              {...props}
              type="datetime-local"
              className="input"
              value={to}
              onChange={(event) => setTo(event.target.value)}
            />
          )}
        </Field>
        <div className="row end">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button type="submit" look="primary" disabled={isWrong}>
            {t('traffic.show')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** To the minute. */
export function isoOf(ms: number): string {
  return new Date(Math.round(ms / 60_000) * 60_000).toISOString()
}
