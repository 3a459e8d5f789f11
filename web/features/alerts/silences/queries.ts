// What the console asks about silences, and changes in them.
import { queryOptions } from '@tanstack/react-query'
import type { Response } from '../../../../src/contract/endpoints.ts'
import type { Api } from '../../../shared/api/api.ts'

export type Silence = Response<'listSilences'>['silences'][number]

export const silencesKey = ['silences']

/** What is held back changes with attacks. */
const refreshMs = 10_000

export const silencesQuery = (api: Api) =>
  queryOptions({
    queryKey: silencesKey,
    refetchInterval: refreshMs,
    queryFn: async ({ signal }) => (await api.call('listSilences', { signal })).silences,
  })
