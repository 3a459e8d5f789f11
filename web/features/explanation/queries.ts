// What the console asks about an address in the past: why there was an event or none, and what other settings would have found.
import { queryOptions } from '@tanstack/react-query'
import type { ExplainedClass, Explanation, JudgedAttack, WhatIf } from '../../../src/contract/explanations.ts'
import type { Api } from '../../shared/api/api.ts'
import { defaultSpan, spans, type WhatIfSearch } from './search.ts'

export type { ExplainedClass, Explanation, JudgedAttack, WhatIf }

/** Exporters hold records back for up to this long: until then more may become known of a moment. */
const heldBackMs = 400_000
const askedAgainMs = 15_000

/** `at`: ISO 8601. */
export const explanationQuery = (api: Api, address: string, at: string) =>
  queryOptions({
    queryKey: ['explanation', address, at],
    refetchInterval: () => (Date.now() - Date.parse(at) < heldBackMs ? askedAgainMs : false),
    queryFn: ({ signal }) => api.call('getExplanation', { params: { address }, query: { at }, signal }),
  })

/** Judges traffic again, which may take seconds: not more often than it is asked for. */
export const whatIfQuery = (api: Api, address: string, { last = defaultSpan, ...changed }: WhatIfSearch) =>
  queryOptions({
    queryKey: ['what-if', address, last, changed],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => {
      const endMs = Date.now()
      const [start, end] = [endMs - spans[last] * 86_400_000, endMs].map((ms) => new Date(ms).toISOString())
      return api.call('getWhatIf', { params: { address }, query: { ...changed, start, end }, signal })
    },
  })
