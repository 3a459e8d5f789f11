// Sets who may send flows.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../shared/api/api.ts'
import { exportersQuery } from './queries.ts'

export function useAllow() {
  const api = useApi()
  const queries = useQueryClient()
  const { queryKey } = exportersQuery(api)
  return useMutation({
    mutationFn: (entries: readonly string[]) => api.call('setAllowedExporters', { body: { entries: [...entries] } }),
    onSuccess: (allowed) => queries.setQueryData(queryKey, (list) => list && { ...list, allowed }),
    onSettled: () => void queries.invalidateQueries({ queryKey }),
  })
}
