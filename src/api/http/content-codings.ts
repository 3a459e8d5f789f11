// Which content codings a client takes (RFC 9110 section 12.5.3).

/** Whether `Accept-Encoding` names the coding, and does not rule it out. */
export function accepts(header: string, coding: 'br' | 'gzip'): boolean {
  const pattern = `(?:^|[,\\s])${coding}\\s*(?:,|$|;(?!\\s*q=0(?:\\.0*)?\\s*(?:,|$)))`
  return new RegExp(pattern, 'i').test(header)
}
