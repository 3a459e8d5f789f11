// The exporter endpoints: how the sources of flows do, and who may be one.
import { leftOutBy } from '../../collect/admission.ts'
import type { ExporterHealth } from '../../collect/health/exporter.ts'
import { rules } from '../../collect/health/findings.ts'
import type { ExporterNotice } from '../../collect/health/notice.ts'
import type { Reception } from '../../collect/health/reception.ts'
import type { exporterEndpoints } from '../../contract/exporters/endpoints.ts'
import { parseAddressRange } from '../../net/address-range.ts'
import type { Handlers } from '../http/endpoints.ts'
import { ProblemError, refusal } from '../http/problem.ts'
import {
  type AdmissionState,
  presentAdmission,
  presentExporter,
  presentExporterDetail,
  presentNotice,
  presentReception,
} from './present.ts'

/** Who knows the exporters. */
export interface Exporters {
  list(): ExporterHealth[]
  /** One after the other, as each is when it is its turn. */
  each(): Iterable<ExporterHealth>
  find(address: string): ExporterHealth | null
  reception(): Reception
}

/** Who may send flows. */
export interface Admission {
  state(): AdmissionState
  set(entries: readonly string[], changedBy: string | null): Promise<void>
}

export interface ExporterParts {
  exporters: Exporters
  admission: Admission
  notices: { list(): ExporterNotice[] }
}

/** Exporters that an error names. */
const namedMax = 10

export function exporterHandlers({
  exporters,
  admission,
  notices,
}: ExporterParts): Handlers<keyof typeof exporterEndpoints> {
  return {
    listExporters: async () => ({
      body: {
        exporters: exporters.list().map(presentExporter),
        notices: notices.list().map(presentNotice),
        allowed: presentAdmission(admission.state()),
        reception: presentReception(exporters.reception()),
      },
    }),

    listFindingRules: async () => ({
      body: { rules: rules.map(({ rule, severity, about, advice }) => ({ rule, severity, about, advice })) },
    }),

    setAllowedExporters: async ({ body }, caller) => {
      const entries = [...new Set(body.entries)]
      const errors = body.entries.flatMap((text, at) =>
        parseAddressRange(text) === null
          ? [{ pointer: `/entries/${at}`, detail: 'It is neither an address nor a prefix' }]
          : [],
      )
      if (errors.length > 0) {
        throw new ProblemError('BAD_REQUEST', 'The list has something else than addresses and prefixes', errors)
      }
      const { source, senders } = admission.state()
      if (source === 'configuration') {
        const detail = 'ingest.exporters of the configuration is in force: change it there, or empty it'
        throw refusal('exporters-configured', 'CONFLICT', detail)
      }
      const leftOut = leftOutBy(entries, senders)
      if (leftOut.length > 0 && body.mayLeaveOut !== true) {
        const named = leftOut.slice(0, namedMax).join(', ')
        const more = leftOut.length > namedMax ? ` and ${leftOut.length - namedMax} more` : ''
        const detail = `Exporters that send now would be left out: ${named}${more}. Say mayLeaveOut if that is meant`
        throw refusal('exporters-left-out', 'CONFLICT', detail)
      }
      await admission.set(entries, caller.email)
      return { body: presentAdmission(admission.state()) }
    },

    getExporter: async ({ params }) => {
      const exporter = exporters.find(params.id)
      if (exporter === null) throw new ProblemError('NOT_FOUND', 'No exporter of this address has sent anything')
      return { body: presentExporterDetail(exporter) }
    },
  }
}
