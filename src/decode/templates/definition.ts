// The octets that define a template, as they came and as they are saved, read on their own: the one place for templates that no datagram brings.
import type { ExportProtocol } from '../../flow/columns.ts'
import { ipfixSets, netflow9Sets, type SetHandler, walkSets } from '../formats/sets.ts'
import type { TemplateFields } from './template.ts'

export interface Definition {
  /** Whose rules the octets follow. */
  protocol: ExportProtocol
  id: number
  options: boolean
  /** The template record, from its id to its last field. */
  octets: Uint8Array
}

/** The fields; null when the octets define no template, another one, or more than one. */
export function fieldsOf({ protocol, id, options, octets }: Definition): TemplateFields | null {
  const dialect = protocol === 'ipfix' ? ipfixSets : netflow9Sets
  const set = new Uint8Array(4 + octets.length)
  set.set(octets, 4)
  const view = new DataView(set.buffer)
  view.setUint16(0, options ? dialect.optionsTemplateSet : dialect.templateSet)
  if (set.length > 0xffff) return null
  view.setUint16(2, set.length)
  const found: { id: number; end: number; fields: TemplateFields }[] = []
  let end = 0
  let sound = true
  const fail = () => {
    sound = false
  }
  const handler: SetHandler = {
    isNewTemplate: (_template, _at, next) => {
      end = next
      return true
    },
    onTemplate: (foundId, fields) => found.push({ id: foundId, end, fields }),
    onRefusedTemplate: fail,
    onWithdrawal: fail,
    onData: fail,
    onUnknownSet: fail,
    onTruncated: fail,
    onMalformed: fail,
  }
  walkSets(view, 0, set.length, dialect, handler)
  const [only] = found
  return sound && found.length === 1 && only.id === id && only.end === set.length ? only.fields : null
}
