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
import { saidBy } from './service-words.ts'

type Condition = Response<'listConditions'>['conditions'][number]

const titles: Readonly<Record<Condition['type'], MessageKey>> = {
  'exporter.silent': 'condition.exporter.silent',
  'exporter.problem': 'condition.exporter.problem',
  'flows.none': 'condition.flows.none',
  'service.blind': 'condition.service.blind',
  'channel.failing': 'condition.channel.failing',
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
            <li key={each.id} className="stack">
              <What condition={each} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function What({ condition }: { condition: Condition }) {
  const { type, severity, subject, detail, since, until, channelId } = condition
  const translator = useTranslator()
  const { t } = translator
  return (
    <>
      <p className="row">
        <SeverityMark severity={severity} />
        <strong>{t(titles[type], { subject })}</strong>
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
        {type === 'channel.failing' ? (
          channelId !== null && (
            <Link to="/alerts/deliveries" search={{ channel: channelId }}>
              {t('conditions.messages')}
            </Link>
          )
        ) : type === 'service.blind' ? (
          <Link to="/events">{t('conditions.events')}</Link>
        ) : (
          <Link to="/sources">{t('conditions.sources')}</Link>
        )}
      </p>
    </>
  )
}

function toldWords({ told, toldOthers }: Condition, { t, language }: Translator): string {
  const names = told.map(({ channel }) => channel)
  if (toldOthers > 0) names.push(t('conditions.others', { count: toldOthers }))
  return names.length === 0 ? t('conditions.toldNobody') : t('conditions.told', { names: both(names, language) })
}
