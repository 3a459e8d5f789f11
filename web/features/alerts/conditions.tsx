// What keeps attacks from being seen or told now: since when, who was told, and where it is put right.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Response } from '../../../src/contract/endpoints.ts'
import { type Api, useApi } from '../../shared/api/api.ts'
import { Ago, Moment } from '../../shared/format/moments.tsx'
import { Text, useTranslator } from '../../shared/i18n/i18n.tsx'
import type { MessageKey, Translator } from '../../shared/i18n/messages.ts'
import { Card } from '../../shared/ui/basics.tsx'
import { SeverityMark } from '../events/severity.tsx'
import { isAdmin, useIdentity } from '../session/session.ts'
import { both } from './about/about-words.ts'
import { SaidText } from './attempt.tsx'
import './alerts.css'
import { saidBy } from './service-words.ts'

type Condition = Response<'listConditions'>['conditions'][number]

const titles: Readonly<Record<Condition['type'], MessageKey>> = {
  'exporter.silent': 'condition.exporter.silent',
  'exporter.problem': 'condition.exporter.problem',
  'flows.none': 'condition.flows.none',
  'service.blind': 'condition.service.blind',
  'channel.failing': 'condition.channel.failing',
  'site.proof_missing': 'condition.site.proof_missing',
}
const againMs = 20_000

const conditionsQuery = (api: Api, isOfAll: boolean) =>
  queryOptions({
    queryKey: ['conditions', isOfAll],
    meta: { live: ['alerts'] },
    refetchInterval: againMs,
    queryFn: async ({ signal }) =>
      (await api.call('listConditions', { query: isOfAll ? { of: 'installation' } : {}, signal })).conditions,
  })

export function Conditions() {
  const { t } = useTranslator()
  const isOfAll = isAdmin(useIdentity())
  const { data: conditions } = useQuery(conditionsQuery(useApi(), isOfAll))
  // Where it cannot be asked the page says so of its channels.
  if (conditions === undefined || (conditions.length === 0 && !isOfAll)) return null
  return (
    <Card title={t('conditions.title')}>
      {conditions.length === 0 ? (
        <p>{t('conditions.none')}</p>
      ) : (
        <ul className="stack" aria-label={t('conditions.title')}>
          {conditions.map((each) => (
            <li key={each.id} className="condition">
              <What condition={each} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function What({ condition }: { condition: Condition }) {
  const { type, severity, subject, detail, since, until } = condition
  const translator = useTranslator()
  const { t } = translator
  return (
    <>
      <p className="row">
        <strong>
          <SeverityMark severity={severity} />
          {t(titles[type], { subject })}
        </strong>
        <span className="quiet">
          {until === null ? (
            <Text k="conditions.since" values={{ ago: <Ago at={since} /> }} />
          ) : (
            <Text k="conditions.fromTo" values={{ from: <Moment at={since} />, to: <Moment at={until} /> }} />
          )}
        </span>
      </p>
      {detail !== '' && (
        <p>
          <SaidText said={saidBy(detail, translator)} />
        </p>
      )}
      <p className="row quiet">
        <span>{toldWords(condition, translator)}</span>
        <Remedy condition={condition} />
      </p>
    </>
  )
}

/** Where it is put right; nothing is, of what is about others. */
function Remedy({ condition: { type, channelId, site } }: { condition: Condition }) {
  const { t } = useTranslator()
  if (type === 'service.blind') return <Link to="/events">{t('conditions.events')}</Link>
  if (type === 'channel.failing')
    return channelId === null ? null : (
      <Link to="/alerts/deliveries" search={{ channel: channelId }}>
        {t('conditions.messages')}
      </Link>
    )
  if (type === 'site.proof_missing')
    return site === null ? null : (
      <Link to="/sites/$host" params={{ host: site }}>
        {t('conditions.site')}
      </Link>
    )
  return <Link to="/sources">{t('conditions.sources')}</Link>
}

function toldWords({ told, toldOthers }: Condition, { t, language }: Translator): string {
  const names = told.map(({ channel }) => channel)
  if (toldOthers > 0) names.push(t('conditions.others', { count: toldOthers }))
  return names.length === 0 ? t('conditions.toldNobody') : t('conditions.told', { names: both(names, language) })
}
