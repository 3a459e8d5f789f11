// The bounds of traces: what is kept of the traffic near a line, so that it can be judged again.
import { type Lines, valuesOf } from './line.ts'

export const traceRows = {
  nearPart: {
    value: 0.5,
    unit: 'part of the line',
    decides: 'half a minute of an address or network that comes to it is traced: its classes in steps of ten seconds',
    reason: 'ordinary traffic is at a quarter or a third of its line, since lines are three or four times normal',
  },
  octetsMax: {
    value: 100_000,
    unit: 'octets of traces in half a minute',
    decides: 'more are not kept; those nearest to their line go first',
    reason: 'some 200 traces: at most 300 MB a day on the disk, however many are attacked',
  },
  holderPart: {
    value: 0.25,
    unit: 'part of `octetsMax`',
    decides: 'the addresses of one user have as much, with their networks, once half of all is taken',
    reason: 'who is attacked on many addresses leaves room for the others',
  },
  endSecondsMax: {
    value: 180,
    unit: 'seconds',
    decides: 'when traces are judged again, an attack without further ones is over after `quietSeconds` and these',
    reason: 'longer than `waitSecondsMax`, for which an end waits at most',
  },
  lastTracesMax: {
    value: 2_000,
    unit: 'traces',
    decides: 'as many are made of the last minutes when the service ends',
    reason: 'ten half minutes: all that was not due yet',
  },
} as const satisfies Lines

export const traces = valuesOf(traceRows)
