// Tokens for programs: the own ones, and for whoever looks after the installation everybody's.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { Response } from '../../../src/contract/endpoints.ts'
import { useApi } from '../../shared/api/api.ts'
import { Ago } from '../../shared/format/moments.tsx'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card, Field, Notice, Pill } from '../../shared/ui/basics.tsx'
import { Code, Dialog } from '../../shared/ui/overlays.tsx'
import { Scroll } from '../../shared/ui/scroll.tsx'
import { Failure, Refused, SkeletonLines } from '../../shared/ui/states.tsx'
import { SureButton } from '../../shared/ui/sure-button.tsx'
import { type Identity, isAdmin } from '../session/session.ts'

const tokensKey = ['tokens']
const stateTones = { active: 'good', suspended: 'warn', expired: 'plain' } as const

export function Tokens({ identity }: { identity: Identity }) {
  const { t } = useTranslator()
  const api = useApi()
  const [isMaking, setMaking] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: tokensKey,
    queryFn: ({ signal }) => api.call('listTokens', { query: isAdmin(identity) ? { user: 'all' } : {}, signal }),
  })
  return (
    <Card
      title={t('tokens.title')}
      flush
      actions={
        <Button onClick={() => setMaking(true)}>
          <Plus size={14} aria-hidden />
          {t('tokens.make')}
        </Button>
      }
    >
      {isMaking && <NewToken identity={identity} onClose={() => setMaking(false)} />}
      {data === undefined ? (
        error === null ? (
          <SkeletonLines lines={3} />
        ) : (
          <Failure error={error} retry={refetch} />
        )
      ) : data.tokens.length === 0 ? (
        <p className="card-note">{t('tokens.none')}</p>
      ) : (
        <>
          {data.tokens.some(({ state }) => state === 'suspended') && <Notice tone="warn">{t('tokens.refused')}</Notice>}
          <TokenTable tokens={data.tokens} />
        </>
      )}
    </Card>
  )
}

function TokenTable({ tokens }: Response<'listTokens'>) {
  const { t } = useTranslator()
  const api = useApi()
  const queries = useQueryClient()
  const revoke = useMutation({
    mutationFn: (id: string) => api.call('revokeToken', { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: tokensKey }),
  })
  return (
    <Scroll label={t('tokens.title')}>
      <table className="table stacking">
        <thead>
          <tr>
            <th scope="col">{t('tokens.name')}</th>
            <th scope="col">{t('tokens.owner')}</th>
            <th scope="col">{t('tokens.scopes')}</th>
            <th scope="col">{t('tokens.used')}</th>
            <th scope="col">{t('tokens.expires')}</th>
            <th scope="col">{t('tokens.state')}</th>
            <th scope="col">
              <span className="sr-only">{t('tokens.revoke')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens.map(({ id, name, user, scopes, lastUsedAt, expiresAt, state, suspension }) => (
            <tr key={id}>
              <td className="stack-head">{name}</td>
              <td className="quiet" data-label={t('tokens.owner')}>
                {user.email}
              </td>
              <td data-label={t('tokens.scopes')}>
                <span className="row">
                  {scopes.map((scope) => (
                    <Pill key={scope}>{t(`scope.${scope}`)}</Pill>
                  ))}
                </span>
              </td>
              <td className="nowrap" data-label={t('tokens.used')}>
                {lastUsedAt === null ? t('tokens.never') : <Ago at={lastUsedAt} />}
              </td>
              <td className="nowrap" data-label={t('tokens.expires')}>
                {expiresAt === null ? t('tokens.noExpiry') : <Ago at={expiresAt} />}
              </td>
              <td className="nowrap" data-label={t('tokens.state')}>
                <span className="row">
                  <Pill tone={stateTones[state]}>{t(`tokens.state.${state}`)}</Pill>
                  {state === 'suspended' && suspension !== null && <Ago at={suspension.since} />}
                </span>
              </td>
              <td className="num">
                <SureButton
                  label={t('tokens.revoke')}
                  title={t('tokens.revokeTitle', { name })}
                  text={t('tokens.revokeText')}
                  onSure={() => revoke.mutate(id)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function NewToken({ identity, onClose }: { identity: Identity; onClose: () => void }) {
  const { t } = useTranslator()
  const api = useApi()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly Identity['scopes'][number][]>(['read'])
  const make = useMutation({
    mutationFn: () => api.call('addToken', { body: { name: name.trim(), scopes: [...scopes] } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: tokensKey }),
  })
  if (make.data !== undefined) {
    return (
      <Dialog title={t('tokens.made')} onClose={onClose}>
        <Notice tone="good">{t('tokens.once')}</Notice>
        <Code text={make.data.secret} />
        <div className="row end">
          <Button look="primary" onClick={onClose}>
            {t('sites.done')}
          </Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title={t('tokens.make')} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate()
        }}
      >
        <Refused error={make.error} />
        <Field label={t('tokens.name')} hint={t('tokens.nameHint')}>
          {(props) => (
            <input
              {...props}
              className="input"
              required
              maxLength={100}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <fieldset className="choices">
          <legend>{t('tokens.scopes')}</legend>
          {identity.scopes.map((scope) => (
            <label key={scope}>
              <input
                type="checkbox"
                checked={scopes.includes(scope)}
                onChange={(event) =>
                  setScopes(event.target.checked ? [...scopes, scope] : scopes.filter((each) => each !== scope))
                }
              />
              {t(`scope.${scope}`)} <span className="quiet">{t(`scopeText.${scope}`)}</span>
            </label>
          ))}
        </fieldset>
        <div className="row end">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button type="submit" look="primary" disabled={scopes.length === 0 || make.isPending}>
            {t('tokens.make')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
