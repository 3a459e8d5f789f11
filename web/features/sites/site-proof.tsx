// What has to be proved before a site is watched: the DNS record to make, and whether it is there.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SiteReport } from '../../../client/types.ts'
import { useApi } from '../../shared/api/api.ts'
import { Ago } from '../../shared/format/moments.tsx'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card, Pill } from '../../shared/ui/basics.tsx'
import { Code } from '../../shared/ui/overlays.tsx'
import { Refused } from '../../shared/ui/states.tsx'
import { useMayChange } from '../session/session.ts'
import { siteQuery } from './queries.ts'
import './site-proof.css'

const tones = { verified: 'good', pending: 'warn', missed: 'warn', unverified: 'bad' } as const

type Proof = NonNullable<SiteReport['proof']>

export function SiteProof({ site: { host, proof, isWatched } }: { site: SiteReport }) {
  const { t } = useTranslator()
  // What another proof covers needs none of its own.
  if (proof === null || (isWatched && proof.state === 'pending')) return null
  return (
    <Card title={t('proof.title')}>
      <div className="stack">
        {proof.state !== 'verified' && <p>{t('proof.text')}</p>}
        <ProofRecord host={host} proof={proof} />
      </div>
    </Card>
  )
}

/** The state of a proof, with the record to make and a button to look for it now. `isNamed`: among others, with its site. */
export function ProofRecord({ host, proof, isNamed = false }: { host: string; proof: Proof; isNamed?: boolean }) {
  const { t } = useTranslator()
  const api = useApi()
  const queries = useQueryClient()
  const look = useMutation({
    mutationFn: () => api.call('verifySite', { params: { host } }),
    onSuccess: (site) => {
      queries.setQueryData(siteQuery(api, host).queryKey, site)
      void queries.invalidateQueries({ queryKey: ['names', 'findings'] })
    },
  })
  const mayChange = useMayChange()
  const { state, record, checkedAt } = look.data?.proof ?? proof
  return (
    <div className="stack proof">
      <div className="row spread">
        <p className="row">
          {isNamed && (
            <Link to="/sites/$host" params={{ host }} className="row-link">
              {host}
            </Link>
          )}
          <Pill tone={tones[state]}>{t(`proof.state.${state}`)}</Pill>
          {checkedAt !== null && (
            <span className="quiet">
              {t('proof.checked')} <Ago at={checkedAt} />
            </span>
          )}
        </p>
        {mayChange && (
          <Button onClick={() => look.mutate()} disabled={look.isPending}>
            {t('proof.look')}
          </Button>
        )}
      </div>
      <Refused error={look.error} />
      {state !== 'verified' && <Code text={`${record.name}. ${record.type} "${record.text}"`} />}
    </div>
  )
}
