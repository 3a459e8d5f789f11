// Names that the reverse DNS has for the user's addresses and that are no site yet, each with a button to make it one.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, Plus } from 'lucide-react'
import { useState } from 'react'
import { reasonOf, useApi } from '../../shared/api/api.ts'
import { Ago } from '../../shared/format/moments.tsx'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card } from '../../shared/ui/basics.tsx'
import { Scroll } from '../../shared/ui/scroll.tsx'
import { useMayChange } from '../session/session.ts'
import './suggested-names.css'

interface Suggestion {
  name: string
  address: string
  confirmedAt: string
}

/** Why a name was refused; null: it was taken. */
type Outcomes = ReadonlyMap<string, string | null>

const addedAtOnce = 200

export function SuggestedNames({ suggestions, omitted = 0 }: { suggestions: readonly Suggestion[]; omitted?: number }) {
  const { t } = useTranslator()
  const api = useApi()
  const queries = useQueryClient()
  const mayChange = useMayChange()
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map())
  const add = useMutation({
    mutationFn: (hosts: string[]) => api.call('addSites', { body: { hosts } }),
    onSuccess: ({ success, error }) => {
      const told = [...success.map((host) => [host, null] as const), ...error.flatMap((each) => Object.entries(each))]
      setOutcomes((before) => new Map([...before, ...told]))
      for (const key of ['sites', 'site', 'overview']) void queries.invalidateQueries({ queryKey: [key] })
    },
  })
  const open = [...new Set(suggestions.map(({ name }) => name))].filter((name) => !outcomes.has(name))
  if (suggestions.length === 0) return null
  return (
    <Card
      title={t('suggest.title', { count: suggestions.length + omitted })}
      flush
      actions={
        mayChange &&
        open.length > 1 && (
          <Button onClick={() => add.mutate(open.slice(0, addedAtOnce))} disabled={add.isPending}>
            {t('suggest.all', { count: open.length })}
          </Button>
        )
      }
    >
      <p className="card-lead">{t('suggest.text')}</p>
      <WhyRefused error={add.error} />
      <Scroll label={t('suggest.title', { count: suggestions.length })}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('names.name')}</th>
              <th scope="col">{t('names.address')}</th>
              <th scope="col">{t('names.confirmed')}</th>
              <th scope="col">
                <span className="sr-only">{t('sites.add')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {suggestions.map(({ name, address, confirmedAt }) => (
              <tr key={`${name} ${address}`}>
                <td className="mono">{name}</td>
                <td className="mono">{address}</td>
                <td className="nowrap">
                  <Ago at={confirmedAt} />
                </td>
                <td className="num">
                  {mayChange && (
                    <Outcome
                      outcome={outcomes.get(name)}
                      label={t('suggest.add', { name })}
                      onAdd={() => add.mutate([name])}
                      isBusy={add.isPending}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {omitted > 0 && <p className="card-note">{t('names.omitted', { count: omitted })}</p>}
    </Card>
  )
}

interface OutcomeProps {
  outcome: string | null | undefined
  label: string
  onAdd: () => void
  isBusy: boolean
}

function Outcome({ outcome, label, onAdd, isBusy }: OutcomeProps) {
  const { t } = useTranslator()
  if (outcome === undefined) {
    return (
      <Button onClick={onAdd} disabled={isBusy} aria-label={label}>
        <Plus size={14} aria-hidden />
        {t('suggest.one')}
      </Button>
    )
  }
  return outcome === null ? (
    <span className="told good" role="status">
      <CircleCheck size={14} aria-hidden />
      {t('suggest.added')}
    </span>
  ) : (
    <span className="told bad" role="status">
      <CircleAlert size={14} aria-hidden />
      <span lang="en">{outcome}</span>
    </span>
  )
}

function WhyRefused({ error }: { error: Error | null }) {
  const translator = useTranslator()
  return error !== null && <p className="card-note bad">{reasonOf(error, translator)}</p>
}
