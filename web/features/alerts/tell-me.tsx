// Among the first steps: the first channel, so that one is told about an attack without looking.
import { useQuery } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card, Notice } from '../../shared/ui/basics.tsx'
import { useMayChange } from '../session/session.ts'
import { ChannelForm } from './form/channel-form.tsx'
import { channelsQuery } from './queries.ts'

export function TellMe() {
  const { t } = useTranslator()
  const { data: channels } = useQuery(channelsQuery(useApi()))
  const [isMaking, setMaking] = useState(false)
  if (!useMayChange() || channels === undefined) return null
  const told = channels.filter(({ state }) => state !== 'disabled')
  return (
    <Card title={t('tell.title')}>
      <div className="stack">
        {told.length === 0 ? (
          <p>{t('tell.text')}</p>
        ) : (
          <Notice tone="good">{t('tell.done', { names: told.map(({ name }) => name).join(', ') })}</Notice>
        )}
        <div className="row">
          <Button onClick={() => setMaking(true)}>
            <BellRing size={14} aria-hidden />
            {t('channels.add')}
          </Button>
        </div>
      </div>
      {isMaking && <ChannelForm channel={null} onClose={() => setMaking(false)} />}
    </Card>
  )
}
