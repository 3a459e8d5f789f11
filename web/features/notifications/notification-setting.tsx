// The switch for notifications of this browser, and what stands in their way.
import { useState } from 'react'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import type { MessageKey } from '../../shared/i18n/messages.ts'
import { Card, Notice } from '../../shared/ui/basics.tsx'
import { usePreferences } from '../../shared/ui/preferences.tsx'
import { type Permission, permissionOf } from './notices.ts'

const obstacles: Readonly<Record<Exclude<Permission, 'granted'>, MessageKey>> = {
  denied: 'notify.denied',
  unasked: 'notify.unanswered',
  absent: 'notify.absent',
}

export function NotificationSetting() {
  const { t } = useTranslator()
  const [{ notifies }, prefer] = usePreferences()
  const [permission, setPermission] = useState(() => permissionOf(window))
  const [isAsked, setAsked] = useState(false)
  const turn = async (isWanted: boolean) => {
    if (!isWanted) return prefer({ notifies: false })
    if (permission === 'unasked') await Notification.requestPermission()
    const now = permissionOf(window)
    setPermission(now)
    setAsked(true)
    if (now === 'granted') prefer({ notifies: true })
  }
  const isOn = notifies && permission === 'granted'
  // Who has not asked for them need not know why there are none.
  const obstacle = permission === 'granted' || !(notifies || isAsked) ? null : obstacles[permission]
  return (
    <Card title={t('notify.title')}>
      <div className="stack">
        <label className="row">
          <input type="checkbox" checked={isOn} onChange={({ target }) => void turn(target.checked)} />
          {t('notify.switch')}
        </label>
        <p className="hint">{t('notify.hint')}</p>
        <div role="status">{obstacle !== null && <Notice tone="warn">{t(obstacle)}</Notice>}</div>
      </div>
    </Card>
  )
}
