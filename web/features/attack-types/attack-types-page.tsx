// The attack types that the detector knows: which packets each consists of, and from which rate they are an attack.
import { useQuery } from '@tanstack/react-query'
import type { Response } from '../../../src/contract/endpoints.ts'
import { useApi } from '../../shared/api/api.ts'
import { formatAmount, formatCount } from '../../shared/format/rates.ts'
import { formatDuration } from '../../shared/format/times.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Card } from '../../shared/ui/basics.tsx'
import { Scroll } from '../../shared/ui/scroll.tsx'
import { Failure, SkeletonLines } from '../../shared/ui/states.tsx'
import { attackName } from '../events/vectors.ts'
import { vectorsQuery } from './queries.ts'

type AttackType = Response<'listVectors'>['vectors'][number]

export function AttackTypesPage() {
  const { t } = useTranslator()
  const { data, error, refetch } = useQuery(vectorsQuery(useApi()))
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{t('nav.attackTypes')}</h1>
          <p>{t('attackTypes.lead')}</p>
        </div>
      </div>
      <Card flush>
        {data !== undefined && <AttackTypes types={data.vectors} />}
        {data === undefined &&
          (error === null ? <SkeletonLines lines={8} /> : <Failure error={error} retry={refetch} />)}
      </Card>
    </>
  )
}

function AttackTypes({ types }: { types: readonly AttackType[] }) {
  const translator = useTranslator()
  const { t, language } = translator
  const rate = (packetsPerSecond: number) => formatAmount(packetsPerSecond, language, 'pps')
  return (
    <Scroll label={t('nav.attackTypes')}>
      <table className="table stacking">
        <thead>
          <tr>
            <th scope="col">{t('attackTypes.type')}</th>
            <th scope="col">{t('attackTypes.packets')}</th>
            <th scope="col" className="num">
              {t('attackTypes.floor')}
            </th>
            <th scope="col" className="num">
              {t('attackTypes.unlearnt')}
            </th>
            <th scope="col" className="num">
              {t('attackTypes.sources')}
            </th>
            <th scope="col" className="num">
              {t('attackTypes.after')}
            </th>
          </tr>
        </thead>
        <tbody>
          {types.flatMap(({ attackType, rows }) =>
            rows.map(({ matches, packetsPerSecond, unlearntPacketsPerSecond, sourcesMin, seconds }, place) => (
              <tr key={`${attackType} ${matches}`}>
                <td className="stack-head">
                  {place === 0 && (
                    <span className="two">
                      <b>{attackName(attackType, translator)}</b>
                      <small className="mono">{attackType}</small>
                    </span>
                  )}
                </td>
                <td lang="en" data-label={t('attackTypes.packets')}>
                  {matches}
                </td>
                <td className="num nowrap" data-label={t('attackTypes.floor')}>
                  {rate(packetsPerSecond)}
                </td>
                <td className="num nowrap" data-label={t('attackTypes.unlearnt')}>
                  {rate(unlearntPacketsPerSecond)}
                </td>
                <td className="num" data-label={t('attackTypes.sources')}>
                  {formatCount(sourcesMin, language)}
                </td>
                <td className="num nowrap" data-label={t('attackTypes.after')}>
                  {formatDuration(seconds, translator)}
                </td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </Scroll>
  )
}
