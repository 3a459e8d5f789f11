// What happened to exporters: new senders, restarts, jumps of sampling, refusals.
import { Ago } from '../../shared/format/moments.tsx'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Card } from '../../shared/ui/basics.tsx'
import { Scroll } from '../../shared/ui/scroll.tsx'
import type { ExporterList } from './queries.ts'

export function WhatHappened({ notices }: { notices: ExporterList['notices'] }) {
  const { t, find } = useTranslator()
  if (notices.length === 0) return null
  return (
    <Card title={t('happened.title')} flush>
      <Scroll label={t('happened.title')}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('happened.when')}</th>
              <th scope="col">{t('sources.exporter')}</th>
              <th scope="col">{t('happened.what')}</th>
            </tr>
          </thead>
          <tbody>
            {notices.map(({ kind, address, last, count, text }) => (
              <tr key={`${kind} ${address}`}>
                <td className="nowrap">
                  <Ago at={last} />
                </td>
                <td className="mono">{address}</td>
                <td>
                  {find(`notice.${kind}`) ?? kind}
                  {count > 1 && <span className="quiet"> · {t('happened.times', { count })}</span>}
                  <div className="quiet" lang="en">
                    {text}
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Card>
  )
}
