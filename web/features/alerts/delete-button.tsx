// Deletes a channel or a rule, after its user is asked.
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { reasonOf } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { useToast } from '../../shared/ui/overlays.tsx'
import { SureButton } from '../../shared/ui/sure-button.tsx'

interface DeleteButtonProps {
  name: string
  /** What comes of it. */
  text: string
  remove: () => Promise<unknown>
  /** The list that it is in. */
  queryKey: QueryKey
}

export function DeleteButton({ name, text, remove, queryKey }: DeleteButtonProps) {
  const translator = useTranslator()
  const { t } = translator
  const queries = useQueryClient()
  const tell = useToast()
  const { mutate } = useMutation({
    mutationFn: remove,
    onError: (error) => tell(reasonOf(error, translator)),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
  return (
    <SureButton
      label={t('sites.delete')}
      title={t('channels.deleteTitle', { name })}
      text={text}
      onSure={() => mutate()}
    />
  )
}
