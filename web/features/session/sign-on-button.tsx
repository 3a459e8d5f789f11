// The button that leads to the provider of single sign-on.
import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { isStatus, reasonOf, useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import type { Translator } from '../../shared/i18n/messages.ts'
import { Button, Notice } from '../../shared/ui/basics.tsx'

export const signOnKey = ['sign-on'] as const

export function SignOnButton({ label, isPrimary }: { label: string; isPrimary: boolean }) {
  const translator = useTranslator()
  const api = useApi()
  const { next } = useSearch({ from: '/sign-in' })
  const start = useMutation({
    mutationFn: () => api.call('startSignOn', { body: next === undefined ? {} : { next } }),
    onSuccess: ({ location }) => globalThis.location.assign(location),
  })
  return (
    <>
      {start.isError && <Notice tone="bad">{whyNot(start.error, translator)}</Notice>}
      <Button look={isPrimary ? 'primary' : 'plain'} disabled={start.isPending} onClick={() => start.mutate()}>
        {label}
      </Button>
    </>
  )
}

/** What went wrong on the way to the provider and back. */
export function whyNot(error: Error, translator: Translator): string {
  const { t } = translator
  if (isStatus(error, 503)) return t('signOn.unavailable')
  if (isStatus(error, 403)) return t('signOn.refused', { reason: reasonOf(error, translator) })
  if (isStatus(error, 429)) return t('session.wait', { seconds: Math.ceil((error.retryAfterMs ?? 1_000) / 1_000) })
  return reasonOf(error, translator)
}
