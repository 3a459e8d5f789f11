// How things stand: whether there are attacks, and whether anything is seen at all.
import { queryOptions } from '@tanstack/react-query'
import type { Api } from '../../shared/api/api.ts'

export interface Posture {
  posture: 'calm' | 'attack' | 'blind'
  openEvents: number
}

export const postureQuery = (api: Api) =>
  queryOptions({
    queryKey: ['events', 'posture'],
    refetchInterval: 10_000,
    queryFn: async ({ signal }): Promise<Posture> => {
      const { events } = await api.call('findEvents', { search: { state: 'open', last: 365 }, signal })
      return { posture: events.length > 0 ? 'attack' : 'calm', openEvents: events.length }
    },
  })
