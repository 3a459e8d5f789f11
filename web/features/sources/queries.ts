// What the console asks about the sources of flows.
import { queryOptions } from '@tanstack/react-query'
import type { Exporter, ExporterDetail, ExporterList } from '../../../client/types.ts'
import type { Api } from '../../shared/api/api.ts'

export type { Exporter, ExporterDetail, ExporterList }
export type Allowed = ExporterList['allowed']
export type Stream = ExporterDetail['streams'][number]
export type Finding = Exporter['findings'][number]

export const exportersQuery = (api: Api, everyMs = 10_000) =>
  queryOptions({
    queryKey: ['exporters'],
    meta: { live: ['exporters', 'status'] },
    refetchInterval: everyMs,
    queryFn: ({ signal }) => api.call('listExporters', { signal }),
  })

export const exporterQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: ['exporter', id],
    meta: { live: ['exporters'] },
    refetchInterval: 10_000,
    queryFn: ({ signal }) => api.call('getExporter', { params: { id }, signal }),
  })
