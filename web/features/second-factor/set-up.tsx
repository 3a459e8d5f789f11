// Setting up the second factor: the password, the QR code and a first code, the recovery codes.
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { isStatus, reasonOf, useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Notice } from '../../shared/ui/basics.tsx'
import { CurrentPassword } from '../../shared/ui/current-password.tsx'
import { Code } from '../../shared/ui/overlays.tsx'
import { CodeField } from './code-field.tsx'
import { QrCode } from './qr-code.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

/** `onDone` is called when it is on and the recovery codes have been seen. */
export function SetUp({ onDone }: { onDone: () => void }) {
  const [secret, setSecret] = useState<{ secret: string; uri: string } | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes !== null) return <RecoveryCodes codes={codes} onKept={onDone} />
  if (secret !== null) return <Confirm {...secret} onCodes={setCodes} />
  return <Begin onSecret={setSecret} />
}

interface StepProps {
  error: Error | null
  /** What 403 means here. */
  refused: string
  action: string
  isPending: boolean
  onSubmit: () => void
  children: ReactNode
}

function Step({ error, refused, action, isPending, onSubmit, children }: StepProps) {
  const translator = useTranslator()
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {error !== null && <Notice tone="bad">{isStatus(error, 403) ? refused : reasonOf(error, translator)}</Notice>}
      {children}
      <div className="row end">
        <Button type="submit" look="primary" disabled={isPending}>
          {action}
        </Button>
      </div>
    </form>
  )
}

function Begin({ onSecret }: { onSecret: (secret: { secret: string; uri: string }) => void }) {
  const { t } = useTranslator()
  const api = useApi()
  const [password, setPassword] = useState('')
  const begin = useMutation({
    mutationFn: () => api.call('setUpSecondFactor', { body: { password } }),
    onSuccess: onSecret,
  })
  return (
    <Step
      error={begin.error}
      refused={t('account.currentWrong')}
      action={t('factor.next')}
      isPending={begin.isPending}
      onSubmit={() => begin.mutate()}
    >
      <p>{t('factor.about')}</p>
      <CurrentPassword label={t('session.password')} value={password} onChange={setPassword} />
    </Step>
  )
}

interface ConfirmProps {
  secret: string
  uri: string
  onCodes: (codes: readonly string[]) => void
}

function Confirm({ secret, uri, onCodes }: ConfirmProps) {
  const { t } = useTranslator()
  const api = useApi()
  const [code, setCode] = useState('')
  const confirm = useMutation({
    mutationFn: () => api.call('confirmSecondFactor', { body: { code } }),
    onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
  })
  return (
    <Step
      error={confirm.error}
      refused={t('factor.wrong')}
      action={t('factor.turnOn')}
      isPending={confirm.isPending}
      onSubmit={() => confirm.mutate()}
    >
      <p>{t('factor.scan')}</p>
      <QrCode text={uri} />
      <details>
        <summary>{t('factor.typeIt')}</summary>
        <Code text={(secret.match(/.{1,16}/g) ?? []).map((row) => (row.match(/.{1,4}/g) ?? []).join(' ')).join('\n')} />
      </details>
      <CodeField isFirst isFocused value={code} onChange={setCode} />
    </Step>
  )
}
