// On the pages of an event and of a site: tells nobody about attacks on the site for a while, or says until when nobody is told.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BellOff } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useApi } from '../../../shared/api/api.ts'
import { useNow } from '../../../shared/format/moments.tsx'
import { formatMoment } from '../../../shared/format/times.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Button, Pill } from '../../../shared/ui/basics.tsx'
import { usePreferences } from '../../../shared/ui/preferences.tsx'
import { useMayChange } from '../../session/session.ts'
import { silenceOf } from './line.ts'
import { silencesQuery } from './queries.ts'

const SilenceForm = lazy(async () => ({ default: (await import('./silence-form.tsx')).SilenceForm }))

export function SilenceButton({ site }: { site: string }) {
  const { t } = useTranslator()
  const [isOpen, setOpen] = useState(false)
  if (!useMayChange()) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <BellOff size={14} aria-hidden />
        {t('silences.button')}
      </Button>
      {isOpen && (
        <Suspense>
          <SilenceForm about={{ sites: [site], groups: [], vectors: [] }} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Beside the title: until when nobody is told. */
export function SilencedMark({ site }: { site: string }) {
  const { t, language } = useTranslator()
  const [{ zone }] = usePreferences()
  const now = useNow()
  const { data: silences = [] } = useQuery(silencesQuery(useApi()))
  const silence = silenceOf(site, silences, now)
  if (silence === undefined) return null
  return (
    <Link to="/alerts/silences" className="no-print">
      <Pill tone="warn" icon={<BellOff size={12} aria-hidden />} title={silence.reason}>
        {t('silences.made', { time: formatMoment(Date.parse(silence.until), now, language, zone) })}
      </Pill>
    </Link>
  )
}
