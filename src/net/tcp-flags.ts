// TCP flag bits (RFC 9293 section 3.1) and their textual form, most significant bit first: 27 -> `...AP.SF`.

export const FIN = 0x01
export const SYN = 0x02
export const RST = 0x04
export const PSH = 0x08
export const ACK = 0x10
export const URG = 0x20
export const ECE = 0x40
export const CWR = 0x80

const letters = 'CEUAPRSF'

const names = ['CWR', 'ECE', 'URG', 'ACK', 'PSH', 'RST', 'SYN', 'FIN'] as const

/** The names of the flags that are set. */
export function tcpFlagNames(flags: number): string[] {
  return names.filter((_, i) => (flags & (0x80 >> i)) !== 0)
}

/** Eight positions, `.` where a flag is not set. Bits above the low eight are ignored. */
export function formatTcpFlags(flags: number): string {
  let text = ''
  for (let i = 0; i < 8; i++) text += (flags & (0x80 >> i)) !== 0 ? letters[i] : '.'
  return text
}
