// The own account: who one is, what one may, another password.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isStatus, reasonOf, useApi } from '../../shared/api/api.ts'
import { Ago } from '../../shared/format/moments.tsx'
import { formatCount } from '../../shared/format/rates.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card, Notice } from '../../shared/ui/basics.tsx'
import { CurrentPassword } from '../../shared/ui/current-password.tsx'
import { NewPassword } from '../../shared/ui/new-password.tsx'
import { useToast } from '../../shared/ui/overlays.tsx'
import { NotificationSetting } from '../notifications/notification-setting.tsx'
import { SecondFactor } from '../second-factor/second-factor.tsx'
import { type Identity, sessionKey } from '../session/session.ts'

export function Account({ identity }: { identity: Identity }) {
  const { t, language } = useTranslator()
  const { user } = identity
  return (
    <div className="columns">
      <Card title={t('settings.account')}>
        <dl className="facts">
          <dt>{t('session.email')}</dt>
          <dd>{user.email}</dd>
          <dt>{t('account.role')}</dt>
          <dd>{t(`role.${user.role}`)}</dd>
          <dt>{t('account.quota')}</dt>
          <dd>{formatCount(user.siteQuota, language)}</dd>
          <dt>{t('account.since')}</dt>
          <dd>
            <Ago at={user.createdAt} />
          </dd>
        </dl>
      </Card>
      <NotificationSetting />
      {identity.hasPassword && <Password />}
      {identity.hasPassword && <SecondFactor />}
    </div>
  )
}

function Password() {
  const translator = useTranslator()
  const { t } = translator
  const api = useApi()
  const queries = useQueryClient()
  const tell = useToast()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const change = useMutation({
    mutationFn: () => api.call('changePassword', { body: { current, password } }),
    onSuccess: (identity) => {
      api.csrfToken = identity.csrfToken
      queries.setQueryData(sessionKey, identity)
      setCurrent('')
      setPassword('')
      tell(t('account.passwordChanged'))
    },
  })
  const wrong =
    change.error === null
      ? null
      : isStatus(change.error, 403)
        ? t('account.currentWrong')
        : reasonOf(change.error, translator)
  return (
    <Card title={t('account.password')}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate()
        }}
      >
        {wrong !== null && <Notice tone="bad">{wrong}</Notice>}
        <CurrentPassword label={t('account.current')} value={current} onChange={setCurrent} />
        <NewPassword label={t('account.new')} value={password} onChange={setPassword} />
        <div className="row end">
          <Button type="submit" look="primary" disabled={change.isPending}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Card>
  )
}
