// Sends again what was given up: one message, or all of a channel.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { reasonOf, useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button } from '../../shared/ui/basics.tsx'
import { useToast } from '../../shared/ui/overlays.tsx'
import { useMayChange } from '../session/session.ts'
import { deliveriesKey } from './queries.ts'

interface SendAgainProps {
  replay: 'replayDelivery' | 'replayChannel'
  /** The message, or the channel. */
  id: string
  /** For screen readers, where the words alone do not say of what. */
  label?: string
  children: ReactNode
}

export function SendAgain({ replay, id, label, children }: SendAgainProps) {
  const translator = useTranslator()
  const api = useApi()
  const queries = useQueryClient()
  const tell = useToast()
  const send = useMutation({
    mutationFn: () => api.call(replay, { params: { id } }),
    onSuccess: ({ replayed, leftOut }) => {
      const sent = translator.t('delivery.sentAgain', { count: replayed })
      const left = translator.t('delivery.leftOut', { count: leftOut })
      tell(leftOut === 0 ? sent : translator.t('delivery.sentAndLeftOut', { sent, left }))
    },
    onError: (error) => tell(reasonOf(error, translator)),
    onSettled: () => queries.invalidateQueries({ queryKey: deliveriesKey }),
  })
  return (
    useMayChange() && (
      <Button
        {...(label !== undefined && { 'aria-label': label })}
        disabled={send.isPending}
        onClick={() => send.mutate()}
      >
        {children}
      </Button>
    )
  )
}
