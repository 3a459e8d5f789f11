// What was, or will be, sent to the channels: found by channel and by what became of it; what was given up can be sent again.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Inbox, X } from 'lucide-react'
import { useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card } from '../../shared/ui/basics.tsx'
import { Empty, Failure, SkeletonLines } from '../../shared/ui/states.tsx'
import { AlertsHead } from './alerts-head.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { deliveryStates, stateWord } from './delivery-words.ts'
import { channelsQuery, type DeliveryFilter, deliveriesQuery } from './queries.ts'
import { deliverySearch } from './search.ts'
import { SendAgain } from './send-again.tsx'

type Change = { [Key in keyof DeliveryFilter]?: string | undefined }

export function DeliveriesPage() {
  const { t } = useTranslator()
  const filter = useSearch({ from: '/shell/alerts/deliveries' })
  const navigate = useNavigate({ from: '/alerts/deliveries' })
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(
    deliveriesQuery(useApi(), filter),
  )
  const deliveries = data?.pages.flatMap((page) => page.deliveries)
  const change = (changed: Change) =>
    void navigate({ search: deliverySearch({ ...filter, ...changed }), replace: true })
  return (
    <>
      <AlertsHead />
      <Find filter={filter} onChange={change} />
      <Card flush>
        {deliveries === undefined ? (
          error === null ? (
            <SkeletonLines lines={8} />
          ) : (
            <Failure error={error} retry={refetch} />
          )
        ) : deliveries.length === 0 ? (
          <Nothing isFiltered={Object.keys(filter).length > 0} />
        ) : (
          <DeliveryList deliveries={deliveries} />
        )}
        {hasNextPage && (
          <Button look="ghost" className="more" onClick={() => void fetchNextPage()} disabled={isFetchingNextPage}>
            {t('delivery.older')}
          </Button>
        )}
      </Card>
    </>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const { t } = useTranslator()
  return (
    <Empty icon={<Inbox size={28} aria-hidden />} title={t(isFiltered ? 'delivery.noneFits' : 'delivery.none')}>
      {!isFiltered && <p>{t('delivery.noneText')}</p>}
    </Empty>
  )
}

function Find({ filter, onChange }: { filter: DeliveryFilter; onChange: (changed: Change) => void }) {
  const translator = useTranslator()
  const { t } = translator
  const { data: channels = [] } = useQuery(channelsQuery(useApi()))
  const { state, channel, event } = filter
  const chosen = channels.find(({ id }) => id === channel)
  return (
    <div className="row spread">
      <div className="row">
        <select
          className="input span"
          aria-label={t('delivery.channel')}
          value={channel ?? ''}
          onChange={({ target: { value } }) => onChange({ channel: value })}
        >
          <option value="">{t('delivery.anyChannel')}</option>
          {channel !== undefined && chosen === undefined && <option value={channel}>{channel}</option>}
          {channels.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <select
          className="input span"
          aria-label={t('channels.state')}
          value={state ?? ''}
          onChange={({ target: { value } }) => onChange({ state: value })}
        >
          <option value="">{t('delivery.anyState')}</option>
          {deliveryStates.map((each) => (
            <option key={each} value={each}>
              {stateWord(each, translator)}
            </option>
          ))}
        </select>
        {event !== undefined && (
          <ul className="filters">
            <li className="pill accent">
              {t('delivery.ofEvent')}
              <button
                type="button"
                aria-label={t('events.without', { filter: t('delivery.ofEvent') })}
                onClick={() => onChange({ event: undefined })}
              >
                <X size={12} aria-hidden />
              </button>
            </li>
          </ul>
        )}
      </div>
      {chosen !== undefined && state === 'dead' && (
        <SendAgain replay="replayChannel" id={chosen.id}>
          {t('delivery.sendAll', { name: chosen.name })}
        </SendAgain>
      )}
    </div>
  )
}
