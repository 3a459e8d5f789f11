// What has to be proved before a site is watched: the DNS record to make, and whether it is there.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SiteReport } from '../../../client/types.ts'
import { useApi } from '../../shared/api/api.ts'
import { Ago } from '../../shared/format/moments.tsx'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card, Notice, Pill } from '../../shared/ui/basics.tsx'
import { Code } from '../../shared/ui/overlays.tsx'
import { siteQuery } from './queries.ts'

const tones = { verified: 'good', pending: 'warn', missed: 'warn', unverified: 'bad' } as const

export function SiteProof({ site: { host, proof, isWatched } }: { site: SiteReport }) {
  const { t } = useTranslator()
  const api = useApi()
  const queries = useQueryClient()
  const look = useMutation({
    mutationFn: () => api.call('verifySite', { params: { host } }),
    onSuccess: (site) => queries.setQueryData(siteQuery(api, host).queryKey, site),
  })
  // What another proof covers needs none of its own.
  if (proof === null || (isWatched && proof.state === 'pending')) return null
  const { state, record, checkedAt } = proof
  return (
    <Card
      title={t('proof.title')}
      actions={
        <Button onClick={() => look.mutate()} disabled={look.isPending}>
          {t('proof.look')}
        </Button>
      }
    >
      <div className="stack">
        <p className="row">
          <Pill tone={tones[state]}>{t(`proof.state.${state}`)}</Pill>
          {checkedAt !== null && (
            <span className="quiet">
              {t('proof.checked')} <Ago at={checkedAt} />
            </span>
          )}
        </p>
        {look.error !== null && <Notice tone="bad">{look.error.message}</Notice>}
        {state !== 'verified' && (
          <>
            <p>{t('proof.text')}</p>
            <Code text={`${record.name}. ${record.type} "${record.text}"`} />
          </>
        )}
      </div>
    </Card>
  )
}
