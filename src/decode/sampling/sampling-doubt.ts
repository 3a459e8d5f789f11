// Rates that are hard to believe. Without asking the exporter for more, little can be known, but enough to find the usual mistakes.

/**
 * `byteOrder`: it was sent in the wrong byte order (RouterOS before 7) and is read the other way round; `maybeByteOrder`: it may have been, and is
 * believed; `tooLarge`: no exporter samples so few packets, it is not believed; `aboveLinks`: counted with it, the exporter's traffic is more
 * than its interfaces can carry.
 */
export const rateDoubts = ['byteOrder', 'maybeByteOrder', 'tooLarge', 'aboveLinks'] as const
export type RateDoubt = (typeof rateDoubts)[number]

/** From here on no rate is believed: of the packets of the fastest link there would be fewer than 40 samples a second. */
const rateAbsurd = 2 ** 24
/** Usual rates fit in 16 bits. */
const rateUsual = 2 ** 16

/** The rate to count with, for a rate as exported. Called when a rate changes, not for every record. */
export function judgeRate(exported: number): { rate: number; doubt: RateDoubt | null } {
  if (exported < rateUsual * 2) return { rate: exported, doubt: null }
  const isSwapped = Number.isInteger(exported) && exported % rateUsual === 0 && exported < 2 ** 32
  if (exported < rateAbsurd) return { rate: exported, doubt: isSwapped ? 'maybeByteOrder' : null }
  return isSwapped ? { rate: swapped(exported), doubt: 'byteOrder' } : { rate: 0, doubt: 'tooLarge' }
}

/** The four octets of a number the other way round. */
function swapped(value: number): number {
  return (((value & 0xff) << 24) | ((value & 0xff00) << 8) | ((value >>> 8) & 0xff00) | (value >>> 24)) >>> 0
}
