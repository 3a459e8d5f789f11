// Datagrams through a decoder of their own, as plain records, for tests.
import { Decoder, type DecoderOptions } from '../../src/decode/decoder.ts'
import type { ChooseDestinations } from '../../src/decode/templates/row-writer.ts'
import { type FlowRecord, recordAt } from '../../src/flow/record.ts'

/** A moment at which tests export; whole seconds, as the headers of NetFlow v9 and IPFIX have. */
export const exportedMs = 1_800_000_000_000

/** What a record has that says nothing of where its flow came in. */
export const noOrigin = {
  ingressInterface: null,
  egressInterface: null,
  sourceAs: null,
  direction: null,
}

export interface Decoded {
  records: FlowRecord[]
  decoder: Decoder
}

export interface DecodeOptions extends Partial<Omit<DecoderOptions, 'sink'>> {
  address?: string
  port?: number
  receivedMs?: number
  /** One that has decoded before. */
  into?: Decoded
}

/** Decodes the datagrams; the records are those of this call and of all that go `into` it later. */
export function decodeAll(datagrams: Iterable<Uint8Array>, options: DecodeOptions = {}): Decoded {
  const { address = '192.0.2.1', port = 40_000, receivedMs = exportedMs, into, ...rest } = options
  const decoded = into ?? decoding(rest)
  for (const datagram of datagrams) decoded.decoder.decode(viewOf(datagram), { address, port, receivedMs })
  decoded.decoder.flush()
  return decoded
}

/** The option `choose` of a decoder, from what it means. */
export function choosing(isWanted: (address: number) => boolean): ChooseDestinations {
  return (from, offset, starts, count) => {
    const chosen = starts.subarray(0, count).filter((at) => isWanted(from.getUint32(at + offset)))
    starts.set(chosen)
    return chosen.length
  }
}

function decoding(options: Partial<Omit<DecoderOptions, 'sink'>>): Decoded {
  const records: FlowRecord[] = []
  const decoder = new Decoder({
    ...options,
    sink: (batch) => {
      for (let row = 0; row < batch.rows; row++) records.push(recordAt(batch, row))
    },
  })
  return { records, decoder }
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
