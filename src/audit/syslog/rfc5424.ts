// A message of syslog as RFC 5424 has it. What goes into it may come from anywhere: what would end a value or a message is escaped, and the whole is cut short.

/** 32473 is the number that RFC 5612 sets aside for examples: an enterprise number of its own the program has not. */
export const enterprise = 32_473
/** RFC 5424 section 6.1: receivers should take 2048 octets. */
export const messageBytesMax = 2_048

export interface SyslogParts {
  facility: number
  severity: number
  atMs: number
  /** The name of this machine. */
  host: string
  pid: number
  /** The kind of the message. */
  messageId: string
  /** The name of the structured data, and its values; empty ones are left out. */
  dataId: string
  params: Readonly<Record<string, string | number | null>>
  /** For people or programs that read the log as it is; on one line. */
  text: string
  bytesMax?: number
}

export function rfc5424({ facility, severity, atMs, host, pid, messageId, ...rest }: SyslogParts): Buffer {
  const { dataId, params, text, bytesMax = messageBytesMax } = rest
  const time = new Date(atMs).toISOString()
  const head = `<${facility * 8 + severity}>1 ${time} ${headerText(host, 255)} floodgauge ${pid} ${headerText(messageId, 32)}`
  const data = Object.entries(params)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('')
  // The mark says that the text is UTF-8.
  const octets = Buffer.from(`${head} [${dataId}@${enterprise}${data}] \ufeff${text}`, 'utf8')
  return octets.length <= bytesMax ? octets : whole(octets.subarray(0, bytesMax))
}

/** RFC 5424 section 6.3.3. */
function escaped(value: string): string {
  return value.replaceAll(/[\\"\]]/g, '\\$&')
}

/** Printable ASCII without spaces, or the sign for nothing: section 6.2. */
function headerText(text: string, max: number): string {
  return text.replaceAll(/[^!-~]/g, '_').slice(0, max) || '-'
}

/** Without the part of a character that was cut through at its end. */
function whole(octets: Buffer): Buffer {
  let end = octets.length
  while (end > 0 && (octets[end - 1] & 0xc0) === 0x80) end--
  const lead = octets[end - 1] ?? 0
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return octets.length - (end - 1) >= length ? octets : octets.subarray(0, end - 1)
}
