// What is to be done about the names of one's sites: those that lead nowhere, those that are suggested, proofs that are missing.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { useApi } from '../../shared/api/api.ts'
import { Ago } from '../../shared/format/moments.tsx'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Card, Pill } from '../../shared/ui/basics.tsx'
import { Scroll } from '../../shared/ui/scroll.tsx'
import { Empty, Failure, SkeletonLines } from '../../shared/ui/states.tsx'
import { ProofRecord } from '../sites/site-proof.tsx'
import { SuggestedNames } from '../sites/suggested-names.tsx'
import { findingsQuery, type NameFindings } from './queries.ts'

export function Findings() {
  const { t } = useTranslator()
  const { data, error, refetch } = useQuery(findingsQuery(useApi()))
  if (data === undefined) {
    return (
      <Card title={t('names.findings')} flush>
        {error === null ? <SkeletonLines lines={3} /> : <Failure error={error} retry={refetch} />}
      </Card>
    )
  }
  const { problems, suggestions, proofs, omitted } = data
  if (problems.length + suggestions.length + proofs.length === 0) {
    return (
      <Card title={t('names.findings')} flush>
        <Empty icon={<CircleCheck size={28} aria-hidden />} title={t('names.well')}>
          <p>{t('names.wellText')}</p>
        </Empty>
      </Card>
    )
  }
  return (
    <>
      {proofs.length > 0 && <Proofs proofs={proofs} omitted={omitted.proofs} />}
      {problems.length > 0 && <Problems problems={problems} omitted={omitted.problems} />}
      <SuggestedNames suggestions={suggestions} omitted={omitted.suggestions} />
    </>
  )
}

function Proofs({ proofs, omitted }: { proofs: NameFindings['proofs']; omitted: number }) {
  const { t } = useTranslator()
  return (
    <Card title={t('names.proofs', { count: proofs.length + omitted })}>
      <div className="stack">
        <p>{t('proof.text')}</p>
        {proofs.map(({ host, ...proof }) => (
          <ProofRecord key={host} host={host} proof={proof} isNamed />
        ))}
        {omitted > 0 && <p className="quiet">{t('names.omitted', { count: omitted })}</p>}
      </div>
    </Card>
  )
}

const tones = { failing: 'bad', absent: 'warn', refused: 'bad' } as const

function Problems({ problems, omitted }: { problems: NameFindings['problems']; omitted: number }) {
  const { t } = useTranslator()
  return (
    <Card title={t('names.problems', { count: problems.length + omitted })} flush>
      <Scroll label={t('names.findings')}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('sites.host')}</th>
              <th scope="col">{t('names.problem')}</th>
              <th scope="col">{t('names.ledLast')}</th>
            </tr>
          </thead>
          <tbody>
            {problems.map(({ host, reason, confirmedAt }) => (
              <tr key={host}>
                <td>
                  <Link to="/sites/$host" params={{ host }} className="row-link">
                    {host}
                  </Link>
                </td>
                <td>
                  <Pill tone={tones[reason]}>{t(`names.problem.${reason}`)}</Pill>{' '}
                  <span className="quiet">{t(`names.problemText.${reason}`)}</span>
                </td>
                <td className="nowrap">{confirmedAt === null ? t('names.never') : <Ago at={confirmedAt} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {omitted > 0 && <p className="card-note">{t('names.omitted', { count: omitted })}</p>}
    </Card>
  )
}
