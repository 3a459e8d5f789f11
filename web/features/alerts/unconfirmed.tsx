// Addresses of a channel that wait for somebody to confirm them: which, what was done about it, and the button that has them asked again.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../shared/api/api.ts'
import { Ago } from '../../shared/format/moments.tsx'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button } from '../../shared/ui/basics.tsx'
import { Refused } from '../../shared/ui/states.tsx'
import { useMayChange } from '../session/session.ts'
import './alerts.css'
import { SaidText } from './attempt.tsx'
import { type Channel, channelsKey } from './queries.ts'
import { saidBy } from './service-words.ts'

export function Unconfirmed({ channel }: { channel: Channel }) {
  const { t } = useTranslator()
  const { unconfirmed, confirmedBy } = channel
  if (unconfirmed.length === 0) return null
  return (
    <div className="stack unconfirmed">
      <span className="quiet">{t(`unconfirmed.${confirmedBy ?? 'link'}`)}</span>
      <ul>
        {unconfirmed.map((each) => (
          <Waiting key={each.address} waiting={each} />
        ))}
      </ul>
      {confirmedBy === 'link' && <AskAgain channel={channel} />}
    </div>
  )
}

function Waiting({ waiting: { address, askedAt, problem } }: { waiting: Channel['unconfirmed'][number] }) {
  const translator = useTranslator()
  return (
    <li>
      {address}{' '}
      {problem !== '' ? (
        <span className="tone bad">
          <SaidText said={saidBy(problem, translator)} />
        </span>
      ) : (
        askedAt !== null && (
          <span className="quiet nowrap">
            {translator.t('unconfirmed.asked')} <Ago at={askedAt} />
          </span>
        )
      )}
    </li>
  )
}

function AskAgain({ channel: { id, name } }: { channel: Channel }) {
  const { t } = useTranslator()
  const api = useApi()
  const queries = useQueryClient()
  const mayChange = useMayChange()
  const ask = useMutation({
    mutationFn: () => api.call('askConfirmation', { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: channelsKey }),
  })
  if (!mayChange) return null
  return (
    <>
      <div className="row">
        <Button disabled={ask.isPending} aria-label={t('unconfirmed.againOne', { name })} onClick={() => ask.mutate()}>
          {t('unconfirmed.again')}
        </Button>
        <span role="status">{ask.isSuccess && <span className="quiet">{t('unconfirmed.sent')}</span>}</span>
      </div>
      <Refused error={ask.error} />
    </>
  )
}
