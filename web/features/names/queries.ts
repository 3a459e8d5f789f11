// What the console asks about names.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { NameFindings, NameRecord, NameSources } from '../../../client/types.ts'
import type { Api } from '../../shared/api/api.ts'

export type { NameFindings, NameRecord, NameSources }

/** `at`: ISO 8601; undefined: whenever. */
export const lookUpQuery = (api: Api, question: string, at: string | undefined) =>
  queryOptions({
    queryKey: ['names', 'records', question, at],
    meta: { live: ['sites'] },
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.call('lookUpNames', { params: { question }, query: { at }, signal }),
  })

export const findingsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['names', 'findings'],
    meta: { live: ['sites'] },
    refetchInterval: 30_000,
    queryFn: ({ signal }) => api.call('getNames', { signal }),
  })

export const nameSourcesQuery = (api: Api) =>
  queryOptions({
    queryKey: ['names', 'sources'],
    meta: { live: ['sites'] },
    refetchInterval: 15_000,
    queryFn: ({ signal }) => api.call('getNameSources', { signal }),
  })
