// The exporter endpoints: how the sources of flows do.
import type { ExporterHealth } from '../../collect/health/exporter.ts'
import { rules } from '../../collect/health/findings.ts'
import type { Reception } from '../../collect/health/reception.ts'
import type { exporterEndpoints } from '../../contract/exporters.ts'
import type { Handlers } from '../http/endpoints.ts'
import { ProblemError } from '../http/problem.ts'
import { presentExporter, presentExporterDetail, presentReception } from './present.ts'

/** Who knows the exporters. */
export interface Exporters {
  list(): ExporterHealth[]
  find(address: string): ExporterHealth | null
  reception(): Reception
}

export interface ExporterParts {
  exporters: Exporters
}

export function exporterHandlers({ exporters }: ExporterParts): Handlers<keyof typeof exporterEndpoints> {
  return {
    listExporters: async () => ({
      body: {
        exporters: exporters.list().map(presentExporter),
        reception: presentReception(exporters.reception()),
      },
    }),

    listFindingRules: async () => ({
      body: { rules: rules.map(({ rule, severity, about, advice }) => ({ rule, severity, about, advice })) },
    }),

    getExporter: async ({ params }) => {
      const exporter = exporters.find(params.id)
      if (exporter === null) throw new ProblemError('NOT_FOUND', 'No exporter of this address has sent anything')
      return { body: presentExporterDetail(exporter) }
    },
  }
}
