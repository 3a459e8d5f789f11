// What other settings would have found in the traffic of an address that is kept. It changes nothing.
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../shared/api/api.ts'
import { formatDateTime } from '../../shared/format/times.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Card, Notice } from '../../shared/ui/basics.tsx'
import { usePreferences } from '../../shared/ui/preferences.tsx'
import { Failure, SkeletonLines } from '../../shared/ui/states.tsx'
import './explanation.css'
import { differenceText, doubtsOf } from './difference.ts'
import { JudgedAttacks } from './judged-attacks.tsx'
import { type WhatIf, whatIfQuery } from './queries.ts'
import { isChanged, type WhatIfSearch } from './search.ts'
import { WhatIfForm } from './what-if-form.tsx'

export function WhatIfCard({ address, search }: { address: string; search: WhatIfSearch }) {
  const { t } = useTranslator()
  return (
    <Card title={t('whatIf.title')} flush>
      <WhatIfForm address={address} search={search} />
      <div aria-live="polite">{isChanged(search) && <JudgedAgain address={address} search={search} />}</div>
    </Card>
  )
}

function JudgedAgain({ address, search }: { address: string; search: WhatIfSearch }) {
  const { data, error, refetch } = useQuery(whatIfQuery(useApi(), address, search))
  if (data !== undefined) return <Difference whatIf={data} />
  return error === null ? <SkeletonLines lines={3} /> : <Failure error={error} retry={refetch} />
}

function Difference({ whatIf }: { whatIf: WhatIf }) {
  const { t, language } = useTranslator()
  const [{ zone }] = usePreferences()
  const { won, lost, from, to } = whatIf
  const clock = (at: string) => formatDateTime(Date.parse(at), language, zone)
  return (
    <>
      <div className="explanation-answer">
        <p className="explanation-verdict">{differenceText(whatIf, t)}</p>
        <p className="quiet">{t('whatIf.span', { from: clock(from), to: clock(to) })}</p>
        {doubtsOf(whatIf).map((doubt) => (
          <Notice key={doubt} tone="warn">
            {t(doubt)}
          </Notice>
        ))}
      </div>
      {won.length > 0 && <JudgedAttacks title={t('whatIf.wonTitle')} attacks={won} />}
      {lost.length > 0 && <JudgedAttacks title={t('whatIf.lostTitle')} attacks={lost} />}
      {won.length + lost.length > 0 && <p className="card-note">{t('whatIf.note')}</p>}
    </>
  )
}
