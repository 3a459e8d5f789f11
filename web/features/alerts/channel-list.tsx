// The channels of whoever looks: how each does, and what can be done with it.
import { Link } from '@tanstack/react-router'
import { Moon } from 'lucide-react'
import { useApi } from '../../shared/api/api.ts'
import { Ago } from '../../shared/format/moments.tsx'
import { Text, useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card, Pill, type Tone } from '../../shared/ui/basics.tsx'
import { Scroll } from '../../shared/ui/scroll.tsx'
import { useMayChange } from '../session/session.ts'
import { readersZone } from './about/reader.ts'
import { windowWords } from './about/window-words.ts'
import { AttemptWords } from './attempt.tsx'
import { DeleteButton } from './delete-button.tsx'
import { type Channel, channelsKey } from './queries.ts'
import { TestResult, useTest } from './test-channel.tsx'
import { Unconfirmed } from './unconfirmed.tsx'

const tones = {
  new: 'plain',
  ok: 'good',
  failing: 'bad',
  unconfirmed: 'warn',
  disabled: 'warn',
} as const satisfies Record<string, Tone>

/** Nobody knows of a channel that was never used whether it works. */
const stateOf = ({ state, last }: Channel) => (state === 'ok' && last === null ? 'new' : state)

export function ChannelList({
  channels,
  onChange,
}: {
  channels: readonly Channel[]
  onChange: (channel: Channel) => void
}) {
  const { t } = useTranslator()
  const mayChange = useMayChange()
  return (
    <Card flush>
      <Scroll label={t('channels.title')}>
        <table className="table stacking">
          <thead>
            <tr>
              <th scope="col">{t('channels.name')}</th>
              <th scope="col">{t('channels.kind')}</th>
              <th scope="col">{t('channels.state')}</th>
              <th scope="col">{t('channels.last')}</th>
              {mayChange && (
                <th scope="col">
                  <span className="sr-only">{t('channels.change')}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {channels.map((channel) => (
              <ChannelRow key={channel.id} channel={channel} mayChange={mayChange} onChange={() => onChange(channel)} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </Card>
  )
}

interface ChannelRowProps {
  channel: Channel
  mayChange: boolean
  onChange: () => void
}

function ChannelRow({ channel, mayChange, onChange }: ChannelRowProps) {
  const translator = useTranslator()
  const { t, find } = translator
  const api = useApi()
  const test = useTest(channel.id)
  const { id, name, kind, failingSince, last, quiet } = channel
  const state = stateOf(channel)
  return (
    <tr>
      <td className="stack-head">
        <Link to="/alerts/deliveries" search={{ channel: id }} className="row-link">
          {name}
        </Link>
      </td>
      <td data-label={t('channels.kind')}>{find(`channelKind.${kind}`) ?? kind}</td>
      <td data-label={t('channels.state')}>
        <span>
          <Pill tone={tones[state]}>{t(`channels.state.${state}`)}</Pill>{' '}
          {failingSince !== null && <Text k="conditions.since" values={{ ago: <Ago at={failingSince} /> }} />}
          {quiet !== null && (
            <Pill icon={<Moon size={12} aria-hidden />} title={t('quiet.text')}>
              {t('quiet.hours', { hours: windowWords(quiet, translator, readersZone()) })}
            </Pill>
          )}
          <Unconfirmed channel={channel} />
        </span>
      </td>
      <td data-label={t('channels.last')}>
        <span>
          {last === null ? (
            <span className="quiet">{t('channels.lastNone')}</span>
          ) : (
            <>
              <AttemptWords outcome={last} />
              <span className="quiet nowrap">
                {' · '}
                <Ago at={last.at} />
              </span>
            </>
          )}
          <TestResult test={test} label={t('channels.testShort')} />
        </span>
      </td>
      {mayChange && (
        <td>
          <div className="row end">
            <Button
              disabled={test.isPending}
              aria-label={t('channels.testOne', { name })}
              onClick={() => test.mutate()}
            >
              {t('channels.testShort')}
            </Button>
            <Button aria-label={t('channels.changeOne', { name })} onClick={onChange}>
              {t('channels.change')}
            </Button>
            <DeleteButton
              name={name}
              text={t('channels.deleteText')}
              remove={() => api.call('deleteChannel', { params: { id } })}
              queryKey={channelsKey}
            />
          </div>
        </td>
      )}
    </tr>
  )
}
