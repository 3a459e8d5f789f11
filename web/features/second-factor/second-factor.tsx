// The second factor in the settings of the account: whether there is one, and what can be done about it.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { isStatus, reasonOf, useApi } from '../../shared/api/api.ts'
import { Ago } from '../../shared/format/moments.tsx'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card, Notice, Pill } from '../../shared/ui/basics.tsx'
import { Dialog, useToast } from '../../shared/ui/overlays.tsx'
import { Failure, SkeletonLines } from '../../shared/ui/states.tsx'
import { sessionKey } from '../session/session.ts'
import { CodeField } from './code-field.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

/** With what draws the QR code. */
const SetUp = lazy(async () => ({ default: (await import('./set-up.tsx')).SetUp }))

/** The dialog that is open. */
type Shown = 'set-up' | 'codes' | 'off' | null

const factorKey = ['second-factor'] as const

/** A user with fewer recovery codes is reminded to make new ones. */
const codesLow = 3

export function SecondFactor() {
  const { t } = useTranslator()
  const api = useApi()
  const [shown, setShown] = useState<Shown>(null)
  const queries = useQueryClient()
  const tell = useToast()
  const { data, error, refetch } = useQuery({
    queryKey: factorKey,
    queryFn: ({ signal }) => api.call('getSecondFactor', { signal }),
  })
  const close = (told?: string) => {
    setShown(null)
    if (told !== undefined) tell(told)
    void queries.invalidateQueries({ queryKey: factorKey })
    void queries.invalidateQueries({ queryKey: sessionKey })
  }
  if (data === undefined) {
    const state = error === null ? <SkeletonLines lines={2} /> : <Failure error={error} retry={refetch} />
    return <Card title={t('factor.title')}>{state}</Card>
  }
  return (
    <Card title={t('factor.title')}>
      <div className="stack">
        {data.since === null ? (
          <p>{t('factor.about')}</p>
        ) : (
          <p>
            <Pill tone="good">{t('factor.on')}</Pill> {t('factor.since')} <Ago at={data.since} />
          </p>
        )}
        {data.isOn && (
          <p className={data.recoveryCodesLeft < codesLow ? undefined : 'quiet'}>
            {t('factor.codesLeft', { count: data.recoveryCodesLeft })}
          </p>
        )}
        <div className="row end">
          {data.isOn ? (
            <>
              <Button onClick={() => setShown('codes')}>{t('factor.newCodes')}</Button>
              {!data.isRequired && (
                <Button look="danger" onClick={() => setShown('off')}>
                  {t('factor.turnOff')}
                </Button>
              )}
            </>
          ) : (
            <Button look="primary" onClick={() => setShown('set-up')}>
              {t('factor.setUp')}
            </Button>
          )}
        </div>
      </div>
      <Dialogs shown={shown} onClose={close} />
    </Card>
  )
}

/** `onClose` is given what there is to tell about it. */
function Dialogs({ shown, onClose: close }: { shown: Shown; onClose: (told?: string) => void }) {
  const { t } = useTranslator()
  return (
    <>
      {shown === 'set-up' && (
        <Dialog title={t('factor.setUp')} onClose={() => close()}>
          <Suspense fallback={<SkeletonLines lines={4} />}>
            <SetUp onDone={() => close(t('factor.isOn'))} />
          </Suspense>
        </Dialog>
      )}
      {shown === 'codes' && (
        <Dialog title={t('factor.newCodes')} onClose={() => close()}>
          <NewCodes onDone={() => close()} />
        </Dialog>
      )}
      {shown === 'off' && (
        <Dialog title={t('factor.turnOff')} onClose={() => close()}>
          <TurnOff onDone={() => close(t('factor.isOff'))} />
        </Dialog>
      )}
    </>
  )
}

interface ProofProps {
  text: string
  action: ReactNode
  error: Error | null
  onCode: (code: string) => void
}

/** What only who has the authenticator, or a recovery code, may do. */
function Proof({ text, action, error, onCode }: ProofProps) {
  const translator = useTranslator()
  const { t } = translator
  const [code, setCode] = useState('')
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        onCode(code)
      }}
    >
      <p>{text}</p>
      {error !== null && (
        <Notice tone="bad">{isStatus(error, 403) ? t('factor.wrong') : reasonOf(error, translator)}</Notice>
      )}
      <CodeField value={code} onChange={setCode} />
      <div className="row end">{action}</div>
    </form>
  )
}

function NewCodes({ onDone }: { onDone: () => void }) {
  const { t } = useTranslator()
  const api = useApi()
  const renew = useMutation({ mutationFn: (code: string) => api.call('renewRecoveryCodes', { body: { code } }) })
  if (renew.data !== undefined) return <RecoveryCodes codes={renew.data.recoveryCodes} onKept={onDone} />
  const action = (
    <Button type="submit" look="primary" disabled={renew.isPending}>
      {t('factor.newCodes')}
    </Button>
  )
  return <Proof text={t('factor.newCodesText')} action={action} error={renew.error} onCode={renew.mutate} />
}

function TurnOff({ onDone }: { onDone: () => void }) {
  const { t } = useTranslator()
  const api = useApi()
  const end = useMutation({
    mutationFn: (code: string) => api.call('endSecondFactor', { body: { code } }),
    onSuccess: onDone,
  })
  const action = (
    <Button type="submit" look="danger" disabled={end.isPending}>
      {t('factor.turnOff')}
    </Button>
  )
  return <Proof text={t('factor.turnOffText')} action={action} error={end.error} onCode={end.mutate} />
}
