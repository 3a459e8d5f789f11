// What the console asks about an address in the past: why there was an event or none, and what other settings would have found.
import { queryOptions } from '@tanstack/react-query'
import type { ExplainedClass, Explanation, JudgedAttack, WhatIf } from '../../../src/contract/explanations.ts'
import type { Api } from '../../shared/api/api.ts'
import { spans, type WhatIfSearch } from './search.ts'

export type { ExplainedClass, Explanation, JudgedAttack, WhatIf }

/** `at`: ISO 8601. Exporters that hold records back may still change what is known of that moment. */
export const explanationQuery = (api: Api, address: string, at: string) =>
  queryOptions({
    queryKey: ['explanation', address, at],
    queryFn: ({ signal }) => api.call('getExplanation', { params: { address }, query: { at }, signal }),
  })

/** Judges traffic again, which may take seconds: not more often than it is asked for. */
export const whatIfQuery = (api: Api, address: string, { last = '1d', ...changed }: WhatIfSearch) =>
  queryOptions({
    queryKey: ['what-if', address, last, changed],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => {
      const start = new Date(Date.now() - spans[last] * 86_400_000).toISOString()
      return api.call('getWhatIf', { params: { address }, query: { ...changed, start }, signal })
    },
  })
