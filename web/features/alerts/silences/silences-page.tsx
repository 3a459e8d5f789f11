// Silences: what is told to nobody for a time, and what that has held back.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BellOff } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../../shared/api/api.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Button, Card } from '../../../shared/ui/basics.tsx'
import { Empty, Failure, SkeletonLines } from '../../../shared/ui/states.tsx'
import { useMayChange } from '../../session/session.ts'
import { AlertsHead } from '../alerts-head.tsx'
import { silencesQuery } from './queries.ts'
import { SilenceForm } from './silence-form.tsx'
import { SilenceList } from './silence-list.tsx'

export function SilencesPage() {
  const { t } = useTranslator()
  const { data: silences, error, refetch } = useQuery(silencesQuery(useApi()))
  const [isMaking, setMaking] = useState(false)
  const addButton = useMayChange() && (
    <Button look="primary" onClick={() => setMaking(true)}>
      <BellOff size={14} aria-hidden />
      {t('silences.add')}
    </Button>
  )
  return (
    <>
      <AlertsHead>{silences !== undefined && silences.length > 0 && addButton}</AlertsHead>
      {isMaking && <SilenceForm about={{ sites: [], groups: [], vectors: [] }} onClose={() => setMaking(false)} />}
      <Card
        flush
        {...(silences !== undefined &&
          silences.length > 0 && {
            title: t('silences.title'),
            actions: (
              <Link to="/alerts/deliveries" search={{ state: 'held' }}>
                {t('silences.heldMessages')}
              </Link>
            ),
          })}
      >
        {silences === undefined ? (
          error === null ? (
            <SkeletonLines lines={4} />
          ) : (
            <Failure error={error} retry={refetch} />
          )
        ) : silences.length === 0 ? (
          <Empty icon={<BellOff size={28} aria-hidden />} title={t('silences.none')}>
            <p>{t('silences.noneText')}</p>
            {addButton}
          </Empty>
        ) : (
          <SilenceList silences={silences} />
        )}
      </Card>
    </>
  )
}
