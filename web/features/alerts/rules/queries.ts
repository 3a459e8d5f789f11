// What the console asks about rules, and changes in them.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Body } from '../../../../src/contract/endpoints.ts'
import type { Api } from '../../../shared/api/api.ts'

export const rulesKey = ['rules']

export const rulesQuery = (api: Api) =>
  queryOptions({
    queryKey: [...rulesKey, 'list'],
    queryFn: async ({ signal }) => (await api.call('listRules', { signal })).rules,
  })

export type Occasion = Body<'previewAlert'>

/** Who would be told; nothing is sent. */
export const previewQuery = (api: Api, occasion: Occasion) =>
  queryOptions({
    queryKey: [...rulesKey, 'preview', occasion],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.call('previewAlert', { body: occasion, signal }),
  })
