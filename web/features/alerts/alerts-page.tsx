// Alerts: where one is told about attacks, and how each of these places does.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { BellRing, Plus } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card } from '../../shared/ui/basics.tsx'
import { Empty, Failure, SkeletonLines } from '../../shared/ui/states.tsx'
import { useMayChange } from '../session/session.ts'
import { AlertsHead } from './alerts-head.tsx'
import { ChannelList } from './channel-list.tsx'
import { Conditions } from './conditions.tsx'
import { ChannelForm } from './form/channel-form.tsx'
import { type Channel, channelsQuery } from './queries.ts'

export function AlertsPage() {
  const { t } = useTranslator()
  const { add } = useSearch({ from: '/shell/alerts' })
  const navigate = useNavigate({ from: '/alerts' })
  const { data: channels, error, refetch } = useQuery(channelsQuery(useApi()))
  const [edited, setEdited] = useState<Channel | null>(null)
  const mayChange = useMayChange()
  const addButton = mayChange && (
    <Button look="primary" onClick={() => void navigate({ search: { add: 'channel' } })}>
      <Plus size={14} aria-hidden />
      {t('channels.add')}
    </Button>
  )
  return (
    <>
      <AlertsHead>{channels !== undefined && channels.length > 0 && addButton}</AlertsHead>
      {mayChange && add !== undefined && (
        <ChannelForm channel={null} onClose={() => void navigate({ search: {}, replace: true })} />
      )}
      <Conditions />
      {edited !== null && <ChannelForm channel={edited} onClose={() => setEdited(null)} />}
      {channels === undefined ? (
        <Card flush>{error === null ? <SkeletonLines lines={4} /> : <Failure error={error} retry={refetch} />}</Card>
      ) : channels.length === 0 ? (
        <Card flush>
          <Empty icon={<BellRing size={28} aria-hidden />} title={t('alerts.none')}>
            <p>{t('alerts.noneText')}</p>
            {addButton}
          </Empty>
        </Card>
      ) : (
        <ChannelList channels={channels} onChange={setEdited} />
      )}
    </>
  )
}
