// What the console asks about the kinds of attacks that the detector knows.
import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../shared/api/api.ts'

/** They change with the program only. */
export const vectorsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['vectors'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => api.call('listVectors', { signal }),
  })
