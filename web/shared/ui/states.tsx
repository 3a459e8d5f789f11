// What stands where data would: it is coming, there is none, it could not be had.
import { CloudOff, Lock, SearchX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { isStatus, reasonOf } from '../api/api.ts'
import { useTranslator } from '../i18n/i18n.tsx'
import { Button, Notice } from './basics.tsx'

export function Skeleton({ width = '100%', height = 14 }: { width?: number | string; height?: number | string }) {
  return <span className="skeleton" style={{ width, height }} />
}

/** Some lines of a list that is coming. */
export function SkeletonLines({ lines = 6, height = 20 }: { lines?: number; height?: number }) {
  const { t } = useTranslator()
  return (
    <div className="card-body stack" aria-busy="true">
      <span className="sr-only" role="status">
        {t('state.loading')}
      </span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are alike.
        <Skeleton key={line} width={`${92 - ((line * 17) % 40)}%`} height={height} />
      ))}
    </div>
  )
}

export function Empty({ icon, title, children }: { icon: ReactNode; title: string; children?: ReactNode }) {
  return (
    <div className="state">
      {icon}
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** Why something could not be had, and what can be done. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const translator = useTranslator()
  const { t } = translator
  const again = retry !== undefined && <Button onClick={retry}>{t('state.retry')}</Button>
  if (isStatus(error, 403)) {
    return (
      <Empty icon={<Lock size={28} aria-hidden />} title={t('state.forbidden')}>
        <p>{t('state.forbiddenText')}</p>
      </Empty>
    )
  }
  if (isStatus(error, 404)) {
    return (
      <Empty icon={<SearchX size={28} aria-hidden />} title={t('state.missing')}>
        <p>{t('state.missingText')}</p>
      </Empty>
    )
  }
  if (isStatus(error, 503)) {
    return (
      <Empty icon={<TriangleAlert size={28} aria-hidden />} title={t('state.busy')}>
        <p>{t('state.busyText')}</p>
        {again}
      </Empty>
    )
  }
  const isAnswered = error instanceof Error && 'status' in error
  return (
    <Empty icon={<CloudOff size={28} aria-hidden />} title={t(isAnswered ? 'state.failed' : 'state.unreachable')}>
      <p>{isAnswered ? reasonOf(error, translator) : t('state.unreachableText')}</p>
      {again}
    </Empty>
  )
}

/** Why a change was refused; nothing while it was not. */
export function Refused({ error }: { error: Error | null }) {
  const translator = useTranslator()
  return error === null ? null : <Notice tone="bad">{reasonOf(error, translator)}</Notice>
}
