// Time in which nobody has read what exporters sent.

/** Unix milliseconds. */
export interface Away {
  fromMs: number
  toMs: number
}
