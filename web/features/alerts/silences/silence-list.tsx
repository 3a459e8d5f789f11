// Silences on a line of time, with what each has held back.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { BellOff } from 'lucide-react'
import { reasonOf, useApi } from '../../../shared/api/api.ts'
import { dateFormat } from '../../../shared/format/intl.ts'
import { Ago, useNow } from '../../../shared/format/moments.tsx'
import type { Zone } from '../../../shared/format/times.ts'
import { Text, useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Button, Pill, type Tone } from '../../../shared/ui/basics.tsx'
import { useToast } from '../../../shared/ui/overlays.tsx'
import { usePreferences } from '../../../shared/ui/preferences.tsx'
import { useMayChange } from '../../session/session.ts'
import { type About, both, isAboutAll, kindWord, placeWords } from '../about/about-words.ts'
import { useKnown } from '../rules/rule-sentence.tsx'
import { type Line, lineOf, marksOf, percentAt, phaseOf, placeOf } from './line.ts'
import { type Silence, silencesKey } from './queries.ts'
import './silence-list.css'

const tones = { now: 'warn', later: 'accent', over: 'plain' } as const satisfies Record<string, Tone>
const dayMs = 86_400_000

export function SilenceList({ silences }: { silences: readonly Silence[] }) {
  const { t } = useTranslator()
  // By the minute: nothing here moves with every second.
  const now = Math.floor(useNow() / 60_000) * 60_000
  const line = lineOf(silences, now)
  const nowAt = percentAt(now, line)
  return (
    <div className="silences">
      <Scale line={line} nowAt={nowAt} />
      <ul aria-label={t('alerts.tab.silences')}>
        {silences.map((silence) => (
          <SilenceRow key={silence.id} silence={silence} line={line} now={now} />
        ))}
      </ul>
    </div>
  )
}

function Scale({ line, nowAt }: { line: Line; nowAt: number }) {
  const { t, language } = useTranslator()
  const [{ zone }] = usePreferences()
  const offsetMs = zone === 'utc' ? 0 : -new Date(line.fromMs).getTimezoneOffset() * 60_000
  const near = 9
  return (
    <div className="silence-row scale" aria-hidden>
      <span />
      <div className="silence-strip">
        {marksOf(line, offsetMs)
          .filter((ms) => Math.abs(percentAt(ms, line) - nowAt) > near)
          .map((ms) => (
            <span key={ms} style={{ insetInlineStart: `${percentAt(ms, line)}%` }}>
              {markWords(ms, line, { language, zone })}
            </span>
          ))}
        <b style={{ insetInlineStart: `${nowAt}%` }}>{t('silences.now')}</b>
      </div>
      <span />
    </div>
  )
}

/** The hour where a line is short, else the day. */
function markWords(ms: number, { fromMs, toMs }: Line, { language, zone }: { language: string; zone: Zone }): string {
  const timeZone = zone === 'utc' ? { timeZone: 'UTC' } : {}
  const hour = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const day = { weekday: 'short', day: 'numeric' } as const
  const isShort = toMs - fromMs <= 3 * dayMs
  const isMidnight = dateFormat('en-GB', { ...hour, ...timeZone }).format(ms) === '00:00'
  return dateFormat(language, { ...(isShort && !isMidnight ? hour : day), ...timeZone }).format(ms)
}

/** What a silence is about, on one line. */
export function useAboutWords(): (about: About) => string {
  const translator = useTranslator()
  const known = useKnown()
  return (about) => {
    if (isAboutAll(about)) return translator.t('silences.everything')
    const places = placeWords(about, known.groups, translator)
    const kinds = about.vectors.map((each) => kindWord(each, translator))
    const parts = [places, kinds].filter((texts) => texts.length > 0).map((texts) => both(texts, translator.language))
    return parts.join(': ')
  }
}

function SilenceRow({ silence, line, now }: { silence: Silence; line: Line; now: number }) {
  const { t, language } = useTranslator()
  const [{ zone }] = usePreferences()
  const about = useAboutWords()(silence)
  const mayChange = useMayChange()
  const phase = phaseOf(silence, now)
  const place = placeOf(silence, line)
  return (
    <li className={`silence-row ${phase}`}>
      <div className="silence-what">
        <b>{about}</b>
        <span>{silence.reason}</span>
      </div>
      <div className="silence-strip" aria-hidden>
        {place !== null && (
          <i style={{ insetInlineStart: `${place[0]}%`, width: `max(4px, ${place[1]}%)` }}>
            <BellOff size={12} />
          </i>
        )}
        <b style={{ insetInlineStart: `${percentAt(now, line)}%` }} />
      </div>
      <div className="silence-when">
        <span className="row">
          <Pill tone={tones[phase]}>{t(`silences.phase.${phase}`)}</Pill>
          <span className="tabular">{spanWords(silence, { language, zone })}</span>
        </span>
        <span className="quiet">
          {phase === 'now' && <Text k="silences.ends" values={{ ago: <Ago at={silence.until} /> }} />}
          {phase === 'later' && <Text k="silences.begins" values={{ ago: <Ago at={silence.from} /> }} />}
          {phase !== 'later' && ` ${heldWords(silence, t)}`}
        </span>
      </div>
      {mayChange && phase !== 'over' && <EndSilence silence={silence} about={about} phase={phase} />}
    </li>
  )
}

const spanFormat = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** `9 Mar, 07:00–11:00`: what both have is said once. */
function spanWords({ from, until }: Silence, { language, zone }: { language: string; zone: Zone }): string {
  const format = dateFormat(language, { ...spanFormat, ...(zone === 'utc' && { timeZone: 'UTC' }) })
  return format.formatRange(Date.parse(from), Date.parse(until))
}

function heldWords({ attacks, openAttacks }: Silence, t: ReturnType<typeof useTranslator>['t']): string {
  if (attacks === 0) return t('silences.heldNone')
  const held = t('silences.held', { count: attacks })
  return openAttacks === 0 ? held : `${held} ${t('silences.open', { count: openAttacks })}`
}

/** Ends a silence now. */
export function useEnd() {
  const translator = useTranslator()
  const api = useApi()
  const queries = useQueryClient()
  const tell = useToast()
  return useMutation({
    mutationFn: (id: string) => api.call('endSilence', { params: { id } }),
    onError: (error) => tell(reasonOf(error, translator)),
    onSettled: () => queries.invalidateQueries({ queryKey: silencesKey }),
  })
}

function EndSilence({ silence, about, phase }: { silence: Silence; about: string; phase: 'now' | 'later' }) {
  const { t } = useTranslator()
  const end = useEnd()
  return (
    <Button
      disabled={end.isPending}
      aria-label={t(phase === 'now' ? 'silences.endOne' : 'silences.deleteOne', { about })}
      onClick={() => end.mutate(silence.id)}
    >
      {t(phase === 'now' ? 'silences.end' : 'sites.delete')}
    </Button>
  )
}
