// Messages as a list: what each says, to whom, what became of it, and each attempt.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../shared/api/api.ts'
import { Ago, Moment } from '../../shared/format/moments.tsx'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Pill } from '../../shared/ui/basics.tsx'
import { Dialog } from '../../shared/ui/overlays.tsx'
import { Scroll } from '../../shared/ui/scroll.tsx'
import { Failure, SkeletonLines } from '../../shared/ui/states.tsx'
import { SeverityMark } from '../events/severity.tsx'
import { attackName } from '../events/vectors.ts'
import { AttemptWords } from './attempt.tsx'
import './delivery-list.css'
import { noticeWord, stateTone, stateWord } from './delivery-words.ts'
import { channelsQuery, type Delivery, deliveryQuery } from './queries.ts'
import { SendAgain } from './send-again.tsx'

export function DeliveryList({ deliveries }: { deliveries: readonly Delivery[] }) {
  const { t } = useTranslator()
  const { data: channels = [] } = useQuery(channelsQuery(useApi()))
  const [shown, setShown] = useState<Delivery | null>(null)
  const names = new Map(channels.map(({ id, name }) => [id, name]))
  return (
    <>
      {shown !== null && (
        <Dialog title={t('delivery.attempts')} onClose={() => setShown(null)}>
          <Attempts id={shown.id} />
        </Dialog>
      )}
      <Scroll label={t('alerts.tab.deliveries')}>
        <table className="table stacking">
          <thead>
            <tr>
              <th scope="col">{t('delivery.notice')}</th>
              <th scope="col">{t('delivery.channel')}</th>
              <th scope="col">{t('delivery.at')}</th>
              <th scope="col">{t('channels.state')}</th>
              <th scope="col">
                <span className="sr-only">{t('delivery.attempts')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {deliveries.map((delivery) => (
              <DeliveryRow
                key={delivery.id}
                delivery={delivery}
                channel={names.get(delivery.channelId) ?? delivery.channelId}
                onAttempts={() => setShown(delivery)}
              />
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  )
}

interface DeliveryRowProps {
  delivery: Delivery
  channel: string
  onAttempts: () => void
}

function DeliveryRow({ delivery, channel, onAttempts }: DeliveryRowProps) {
  const translator = useTranslator()
  const { t } = translator
  const { kind, severity, eventId, attackType, site, at } = delivery
  const attack = attackName(attackType, translator)
  const notice = noticeWord(kind, translator)
  return (
    <tr>
      <td className="stack-head">
        <div className="told-about">
          <SeverityMark severity={severity} />
          <span className="two">
            <Link to="/events/$id" params={{ id: eventId }} className="row-link">
              {notice}
            </Link>
            <small>{site === null ? attack : t('event.title', { attack, victim: site })}</small>
          </span>
        </div>
      </td>
      <td data-label={t('delivery.channel')}>{channel}</td>
      <td className="nowrap" data-label={t('delivery.at')}>
        <Moment at={at} />
      </td>
      <td data-label={t('channels.state')}>
        <Standing delivery={delivery} />
      </td>
      <td>
        <div className="row end">
          <Button aria-label={t('delivery.attemptsOf', { notice, channel })} onClick={onAttempts}>
            {t('delivery.attempts')}
          </Button>
          {delivery.state === 'dead' && (
            <SendAgain replay="replayDelivery" id={delivery.id} label={t('delivery.againOne', { notice, channel })}>
              {t('delivery.again')}
            </SendAgain>
          )}
        </div>
      </td>
    </tr>
  )
}

function Standing({ delivery: { state, attempts, due, heldBy } }: { delivery: Delivery }) {
  const translator = useTranslator()
  const { t } = translator
  return (
    <span>
      <Pill tone={stateTone(state)}>{stateWord(state, translator)}</Pill>{' '}
      <span className="quiet">
        {attempts > 0 && t('delivery.failures', { count: attempts })}
        {due !== null && heldBy === null && attempts > 0 && (
          <>
            {' · '}
            {t('delivery.next')} <Ago at={due} />
          </>
        )}
        {due !== null && heldBy !== null && (
          <>
            {t(`heldBy.${heldBy}`)} <Moment at={due} />
          </>
        )}
      </span>
    </span>
  )
}

function Attempts({ id }: { id: string }) {
  const { t } = useTranslator()
  const { data, error, refetch } = useQuery(deliveryQuery(useApi(), id))
  if (data === undefined)
    return error === null ? <SkeletonLines lines={2} /> : <Failure error={error} retry={refetch} />
  if (data.outcomes.length === 0) return <p>{t('delivery.noAttempt')}</p>
  return (
    <ol className="attempts">
      {data.outcomes.map((outcome) => (
        <li key={`${outcome.at} ${outcome.text}`}>
          <Moment at={outcome.at} />
          <AttemptWords outcome={outcome} />
        </li>
      ))}
    </ol>
  )
}
