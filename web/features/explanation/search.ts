// What the address of the screen of one address says beside its path: which address, which moment is explained, by which settings its past is judged again.
import { text, wordOf } from '../../shared/ui/search.ts'

/** Days up to now that are judged again. */
export const spans = { '1d': 1, '7d': 7, '31d': 31 } as const
export type WhatIfSpan = keyof typeof spans
export const spanNames: readonly WhatIfSpan[] = ['1d', '7d', '31d']
export const defaultSpan = '1d'

export const sensitivities = ['low', 'normal', 'high'] as const

/** Absolute limits, in the order in which they are asked for. Per second; 0: none. */
export const limits = ['packetsPerSecond', 'bytesPerSecond', 'flowsPerSecond'] as const
export type Limit = (typeof limits)[number]

export interface WhatIfSearch extends Partial<Record<Limit, number>> {
  sensitivity?: (typeof sensitivities)[number]
  last?: WhatIfSpan
}

export interface AddressSearch extends WhatIfSearch {
  address?: string
  /** ISO 8601. */
  at?: string
}

export function addressSearch(search: Record<string, unknown>): AddressSearch {
  const { at = '', ...rest } = text(search, 'address', 'at')
  return { ...rest, ...(Number.isNaN(Date.parse(at)) ? {} : { at }), ...whatIfOf(search) }
}

/** What of a search is about other settings; empty: nothing is to be judged again. */
export function whatIfOf(search: Readonly<Record<string, unknown>>): WhatIfSearch {
  const amounts = limits.flatMap((limit) => {
    const value = search[limit]
    return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? [[limit, value] as const] : []
  })
  const sensitivity = wordOf(search.sensitivity, sensitivities)
  const last = wordOf(search.last, spanNames)
  return {
    ...Object.fromEntries(amounts),
    ...(sensitivity === undefined ? {} : { sensitivity }),
    ...(last === undefined || last === defaultSpan ? {} : { last }),
  }
}

/** Whether a setting is another one. */
export const isChanged = ({ sensitivity, ...search }: WhatIfSearch): boolean =>
  sensitivity !== undefined || limits.some((limit) => search[limit] !== undefined)
