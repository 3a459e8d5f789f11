// Time in which nobody has read what exporters sent.

/** Unix milliseconds. */
export interface Away {
  fromMs: number
  toMs: number
}

/** What is read as long after the reading went on has come since: in the time more is read than sockets hold. */
export const waitedMsMax = 2_000
