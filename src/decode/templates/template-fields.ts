// The fields of a template as they came, before any is understood.

/** RFC 7011 section 7: a field of this length carries its length in each record. */
export const variableLength = 65_535

/** The fields of a template, in order. */
export interface TemplateFields {
  /** See `elementKey`; -1 for a field that is no information element (the scopes of NetFlow v9). */
  keys: readonly number[]
  /** Octets, or `variableLength`. */
  lengths: readonly number[]
  /** Options templates describe their exporter, not a flow. */
  options: boolean
  /** The exporter tells sampling rates by interface: look the interfaces of flows up among them. */
  interfaces?: boolean
}
