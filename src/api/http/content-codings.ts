// Which content codings a client takes (RFC 9110 section 12.5.3).

const patternOf = (coding: string) =>
  new RegExp(`(?:^|[,\\s])${coding}\\s*(?:,|$|;(?!\\s*q=0(?:\\.0*)?\\s*(?:,|$)))`, 'i')

const patterns = { br: patternOf('br'), gzip: patternOf('gzip') }

/** Whether `Accept-Encoding` names the coding, and does not rule it out. */
export function accepts(header: string, coding: 'br' | 'gzip'): boolean {
  return patterns[coding].test(header)
}
