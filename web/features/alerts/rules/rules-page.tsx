// Rules: which attacks are told to which channels, and who would be told about one.
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { ListChecks, Plus } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../../shared/api/api.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Button, Card } from '../../../shared/ui/basics.tsx'
import { Empty, Failure, SkeletonLines } from '../../../shared/ui/states.tsx'
import { isAdmin, useIdentity, useMayChange } from '../../session/session.ts'
import { AlertsHead } from '../alerts-head.tsx'
import { rulesQuery } from './queries.ts'
import { type Content, newRule, RuleForm } from './rule-form.tsx'
import { RuleList } from './rule-list.tsx'
import { RulePreview } from './rule-preview.tsx'
import type { Rule } from './sentence.ts'

type Edited = { id: string | null; rule: Content }

export function RulesPage() {
  const { t } = useTranslator()
  const { event } = useSearch({ from: '/shell/alerts/rules' })
  const { data: rules, error, refetch } = useQuery(rulesQuery(useApi()))
  const [edited, setEdited] = useState<Edited | null>(null)
  const mayChange = useMayChange()
  const mayAll = isAdmin(useIdentity())
  const add = (reach: Rule['reach']) => setEdited({ id: null, rule: newRule(reach) })
  const change = ({ id, ...rule }: Rule) => setEdited({ id, rule })
  const own = rules?.filter(({ reach }) => reach === 'own') ?? []
  const installation = rules?.filter(({ reach }) => reach === 'installation') ?? []
  return (
    <>
      <AlertsHead>
        {mayChange && (
          <Button look="primary" onClick={() => add('own')}>
            <Plus size={14} aria-hidden />
            {t('rules.add')}
          </Button>
        )}
      </AlertsHead>
      {edited !== null && <RuleForm id={edited.id} rule={edited.rule} onClose={() => setEdited(null)} />}
      {rules === undefined ? (
        <Card flush>{error === null ? <SkeletonLines lines={4} /> : <Failure error={error} retry={refetch} />}</Card>
      ) : (
        <Card title={t('rules.own')} flush>
          {own.length === 0 ? (
            <Empty icon={<ListChecks size={28} aria-hidden />} title={t('rules.none')}>
              <p>{t('rules.noneText')}</p>
            </Empty>
          ) : (
            <RuleList rules={own} onChange={change} />
          )}
        </Card>
      )}
      {rules !== undefined && (installation.length > 0 || mayAll) && (
        <Card
          title={t('rules.installation')}
          flush
          actions={
            mayAll && (
              <Button onClick={() => add('installation')}>
                <Plus size={14} aria-hidden />
                {t('rules.addInstallation')}
              </Button>
            )
          }
        >
          {installation.length === 0 ? (
            <p className="card-note">{t('rules.installationNone')}</p>
          ) : (
            <RuleList rules={installation} onChange={change} />
          )}
        </Card>
      )}
      <RulePreview key={event ?? ''} eventId={event ?? ''} />
    </>
  )
}
