// Who may send flows: the list in force, a nudge to limit it to those that send now, what can be added, the way back, and who is refused.
import { isStatus, reasonOf } from '../../shared/api/api.ts'
import { Ago } from '../../shared/format/moments.tsx'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card, Notice, Pill } from '../../shared/ui/basics.tsx'
import { Refused } from '../../shared/ui/states.tsx'
import { SureButton } from '../../shared/ui/sure-button.tsx'
import { AllowMore } from './allow-more.tsx'
import type { Allowed, ExporterList } from './queries.ts'
import { useAllow } from './use-allow.ts'
import './who-may-send.css'

/** Entries in sight: a list may have thousands. */
const shownMax = 50

export function WhoMaySend({ allowed, refusedSenders }: { allowed: Allowed; refusedSenders: RefusedSender[] }) {
  const { t } = useTranslator()
  const { mutate, error, isPending } = useAllow()
  const { source, entries, senders, previous } = allowed
  const isHere = source !== 'configuration'
  return (
    <Card title={t('allowed.title')}>
      <div className="stack">
        <div aria-live="polite">
          <p>{t(`allowed.from.${source}`)}</p>
          {source === 'anybody' && senders.length > 0 && <p>{t('allowed.nudge', { count: senders.length })}</p>}
        </div>
        <Entries entries={source === 'anybody' ? senders : entries} />
        <Changed allowed={allowed} />
        {isHere && (
          <div className="row">
            {source === 'anybody' && senders.length > 0 && (
              <Button look="primary" disabled={isPending} onClick={() => mutate(senders)}>
                {t('allowed.limit', { count: senders.length })}
              </Button>
            )}
            {previous !== null && previous.join() !== entries.join() && (
              <Button disabled={isPending} onClick={() => mutate(previous)}>
                {t('allowed.undo')}
              </Button>
            )}
            {source === 'here' && (
              <SureButton
                label={t('allowed.anybody')}
                title={t('allowed.anybodyTitle')}
                text={t('allowed.anybodyText')}
                onSure={() => mutate([])}
              />
            )}
          </div>
        )}
        <NotChanged error={error} />
        {isHere && <AllowMore allowed={allowed} />}
        {source !== 'anybody' && (
          <RefusedSenders
            senders={refusedSenders}
            allow={source === 'here' ? (address) => mutate([...entries, address]) : null}
            isPending={isPending}
          />
        )}
      </div>
    </Card>
  )
}

function Entries({ entries }: { entries: readonly string[] }) {
  const { t } = useTranslator()
  if (entries.length === 0) return null
  const more = entries.length - shownMax
  return (
    <ul className="allowed-entries mono">
      {entries.slice(0, shownMax).map((entry) => (
        <li key={entry}>{entry}</li>
      ))}
      {more > 0 && <li>{t('allowed.more', { count: more })}</li>}
    </ul>
  )
}

function Changed({ allowed: { changedAt, changedBy } }: { allowed: Allowed }) {
  const { t } = useTranslator()
  if (changedAt === null) return null
  return (
    <p className="quiet">
      {t('allowed.changed', { by: changedBy ?? t('allowed.commandLine') })} <Ago at={changedAt} />
    </p>
  )
}

/** A list that leaves out somebody who sends is refused, and the service names them. */
function NotChanged({ error }: { error: Error | null }) {
  const translator = useTranslator()
  if (error === null || !isStatus(error, 409) || error.problem?.reason !== 'exporters-left-out') {
    return <Refused error={error} />
  }
  return (
    <Notice tone="bad">
      <p>{reasonOf(error, translator)}</p>
      <p lang="en">{error.problem.detail}</p>
    </Notice>
  )
}

type RefusedSender = ExporterList['reception']['refusedSenders'][number]

interface RefusedSendersProps {
  senders: readonly RefusedSender[]
  /** Null: the list can not be changed here. */
  allow: ((address: string) => void) | null
  isPending: boolean
}

/** Those that worked before come first: they are likely to be missed. */
function RefusedSenders({ senders, allow, isPending }: RefusedSendersProps) {
  const { t } = useTranslator()
  if (senders.length === 0) return null
  const inOrder = [...senders].sort((a, b) => Number(b.workedBefore) - Number(a.workedBefore))
  return (
    <section className="stack refused-senders">
      <h3>{t('allowed.refused')}</h3>
      <ul>
        {inOrder.map(({ address, datagrams, lastSeen, workedBefore }) => (
          <li key={address} className="row spread">
            <span className="row">
              <span className="mono">{address}</span>
              {workedBefore && <Pill tone="bad">{t('allowed.workedBefore')}</Pill>}
              <span className="quiet">
                {t('allowed.datagrams', { count: datagrams })} · <Ago at={lastSeen} />
              </span>
            </span>
            {allow !== null && (
              <Button
                disabled={isPending}
                aria-label={t('allowed.allowOne', { address })}
                onClick={() => allow(address)}
              >
                {t('allowed.allow')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
