// Rules of one reach in their order, which is changed by dragging or by the buttons of a row.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import { reasonOf, useApi } from '../../../shared/api/api.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Button } from '../../../shared/ui/basics.tsx'
import { useToast } from '../../../shared/ui/overlays.tsx'
import { useMayChange } from '../../session/session.ts'
import { DeleteButton } from '../delete-button.tsx'
import { allInOrder, moved } from './order.ts'
import { rulesKey, rulesQuery } from './queries.ts'
import { RuleSentence } from './rule-sentence.tsx'
import './rules.css'
import type { Rule } from './sentence.ts'

interface RuleListProps {
  rules: readonly Rule[]
  onChange: (rule: Rule) => void
}

export function RuleList({ rules, onChange }: RuleListProps) {
  const { t } = useTranslator()
  const api = useApi()
  const mayChange = useMayChange()
  const order = useOrder()
  /** While one is dragged. */
  const [dragged, setDragged] = useState<{ id: string; to: number } | null>(null)
  const [said, setSaid] = useState('')
  const ids = rules.map(({ id }) => id)
  const from = dragged === null ? -1 : ids.indexOf(dragged.id)
  const shown = dragged === null || from === -1 ? rules : allInOrder(rules, moved(ids, from, dragged.to))
  const move = (rule: Rule, to: number) => {
    order.mutate(moved(ids, ids.indexOf(rule.id), to))
    setSaid(t('rules.moved', { name: rule.name, place: to + 1, count: rules.length }))
  }
  const drop = () => {
    const rule = rules[from]
    if (dragged !== null && rule !== undefined && from !== dragged.to) move(rule, dragged.to)
    setDragged(null)
  }
  return (
    <>
      <ol className="rules">
        {shown.map((rule, place) => (
          <li
            key={rule.id}
            className={dragged?.id === rule.id ? 'dragged' : ''}
            onDragOver={(event) => {
              if (dragged === null) return
              event.preventDefault()
              if (dragged.to !== place && isPast(event, dragged.to < place)) setDragged({ ...dragged, to: place })
            }}
            onDrop={(event) => {
              event.preventDefault()
              drop()
            }}
          >
            {mayChange && rules.length > 1 && (
              <Grip rule={rule} onGrab={() => setDragged({ id: rule.id, to: place })} onEnd={() => setDragged(null)} />
            )}
            <div className="rule-text">
              <h3>{rule.name}</h3>
              <RuleSentence rule={rule} />
            </div>
            {mayChange && (
              <div className="row end">
                {rules.length > 1 && (
                  <Steps rule={rule} place={place} count={rules.length} onMove={(to) => move(rule, to)} />
                )}
                <Button aria-label={t('channels.changeOne', { name: rule.name })} onClick={() => onChange(rule)}>
                  {t('channels.change')}
                </Button>
                <DeleteButton
                  name={rule.name}
                  text={t('rules.deleteText')}
                  remove={() => api.call('deleteRule', { params: { id: rule.id } })}
                  queryKey={rulesKey}
                />
              </div>
            )}
          </li>
        ))}
      </ol>
      <span className="sr-only" role="status">
        {said}
      </span>
    </>
  )
}

interface GripProps {
  rule: Rule
  onGrab: () => void
  onEnd: () => void
}

function Grip({ rule: { name }, onGrab, onEnd }: GripProps) {
  const { t } = useTranslator()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons of the row do the same.
    <span
      className="grip"
      title={t('rules.drag')}
      draggable
      onDragStart={(event) => {
        const row = event.currentTarget.closest('li')
        if (row !== null) event.dataTransfer.setDragImage(row, 12, 12)
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', name)
        onGrab()
      }}
      onDragEnd={onEnd}
    >
      <GripVertical size={16} aria-hidden />
    </span>
  )
}

interface StepsProps {
  rule: Rule
  place: number
  count: number
  onMove: (to: number) => void
}

/** One place up or down. A button at an end keeps the focus, so that it is not disabled. */
function Steps({ rule: { name }, place, count, onMove }: StepsProps) {
  const { t } = useTranslator()
  const isFirst = place === 0
  const isLast = place === count - 1
  return (
    <>
      <Button
        look="ghost"
        label={t('rules.up', { name })}
        aria-disabled={isFirst}
        onClick={() => !isFirst && onMove(place - 1)}
      >
        <ArrowUp size={16} aria-hidden />
      </Button>
      <Button
        look="ghost"
        label={t('rules.down', { name })}
        aria-disabled={isLast}
        onClick={() => !isLast && onMove(place + 1)}
      >
        <ArrowDown size={16} aria-hidden />
      </Button>
    </>
  )
}

/** Whether the pointer is over the half of a row that is away from where it comes from: rows of different height would jump to and fro. */
function isPast({ currentTarget, clientY }: DragEvent, isDown: boolean): boolean {
  const { top, height } = currentTarget.getBoundingClientRect()
  return isDown ? clientY > top + height / 2 : clientY < top + height / 2
}

/** Sets the order of the rules of one reach; it is shown at once. */
function useOrder() {
  const translator = useTranslator()
  const api = useApi()
  const queries = useQueryClient()
  const tell = useToast()
  const { queryKey } = rulesQuery(api)
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      await queries.cancelQueries({ queryKey })
      const rules = allInOrder(queries.getQueryData(queryKey) ?? [], ids)
      queries.setQueryData(queryKey, rules)
      return api.call('orderRules', { body: { ids: rules.map(({ id }) => id) } })
    },
    onError: (error) => tell(reasonOf(error, translator)),
    onSettled: () => queries.invalidateQueries({ queryKey: rulesKey }),
  })
}
