// The exporter endpoints: how the sources of flows do.
import type { ExporterHealth } from '../collect/health/exporter.ts'
import type { Reception } from '../collect/health/reception.ts'
import type { Handlers } from './endpoints.ts'
import { presentExporter, presentExporterDetail, presentReception } from './present-exporters.ts'
import { ProblemError } from './problem.ts'

/** Who knows the exporters. */
export interface Exporters {
  list(): ExporterHealth[]
  find(address: string): ExporterHealth | null
  reception(): Reception
}

export function createExporterHandlers(exporters: Exporters): Pick<Handlers, 'listExporters' | 'getExporter'> {
  return {
    listExporters: async () => ({
      body: {
        exporters: exporters.list().map(presentExporter),
        reception: presentReception(exporters.reception()),
      },
    }),

    getExporter: async ({ params }) => {
      const exporter = exporters.find(params.id)
      if (exporter === null) throw new ProblemError('NOT_FOUND', 'Nothing was heard of an exporter of this address')
      return { body: presentExporterDetail(exporter) }
    },
  }
}
