// A number of an event that is shown rounded. The exact one is its title, for whoever points at it, and its value, for programs that read the page.
import { numberFormat } from '../../shared/format/intl.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import type { EventReport } from './queries.ts'

/** By their path in the report. */
const numbers = {
  'peak.bytesPerSecond': ({ peak }) => peak.bytesPerSecond,
  'peak.packetsPerSecond': ({ peak }) => peak.packetsPerSecond,
  'average.bytesPerSecond': ({ average }) => average.bytesPerSecond,
  'average.packetsPerSecond': ({ average }) => average.packetsPerSecond,
  'total.bytes': ({ total }) => total.bytes,
  'total.packets': ({ total }) => total.packets,
} satisfies Record<string, (event: EventReport) => number>

interface ExactProps {
  event: EventReport
  path: keyof typeof numbers
  /** The text that is shown. */
  as: (value: number) => string
}

export function Exact({ event, path, as }: ExactProps) {
  return <ExactValue path={path} value={numbers[path](event)} as={as} />
}

/** `path`: where the report has the value. */
export function ExactValue({ path, value, as }: Pick<ExactProps, 'as'> & { path: string; value: number }) {
  const { language } = useTranslator()
  return (
    <data data-path={path} value={value} title={numberFormat(language, { maximumFractionDigits: 2 }).format(value)}>
      {as(value)}
    </data>
  )
}
