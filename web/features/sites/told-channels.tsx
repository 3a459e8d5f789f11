// What became of telling a simulated attack to the reader's channels.
import type { ToldChannel } from '../../../src/contract/sites/simulations.ts'
import { Moment } from '../../shared/format/moments.tsx'
import { formatDuration } from '../../shared/format/times.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Notice, Pill } from '../../shared/ui/basics.tsx'
import { saidBy } from '../alerts/service-words.ts'
import './told-channels.css'

const tones = {
  waiting: 'warn',
  held: 'plain',
  done: 'good',
  failing: 'warn',
  dead: 'bad',
  disabled: 'bad',
  pager: 'plain',
  dropped: 'plain',
} as const satisfies Record<ToldChannel['state'], string>

export function ToldChannels({ channels }: { channels: readonly ToldChannel[] }) {
  const { t } = useTranslator()
  if (channels.length === 0) return <Notice tone="warn">{t('simulation.toldNobody')}</Notice>
  return (
    <ul className="told-channels" aria-label={t('told.title')}>
      {channels.map((each) => (
        <li key={each.channelId}>
          <span>
            {each.channel}{' '}
            <span className="quiet">
              <Why channel={each} />
            </span>
          </span>
          <Pill tone={tones[each.state]}>{t(`simulation.told.${each.state}`)}</Pill>
        </li>
      ))}
    </ul>
  )
}

function Why({ channel: { afterSeconds, heldBy, until, text } }: { channel: ToldChannel }) {
  const translator = useTranslator()
  const { t } = translator
  if (afterSeconds !== null)
    return t('simulation.toldAfter', { duration: formatDuration(Math.max(1, afterSeconds), translator) })
  if (heldBy !== null && until !== null)
    return (
      <span>
        {t(`heldBy.${heldBy}`)} <Moment at={until} />
      </span>
    )
  return text === null ? null : saidBy(text, translator).text
}
