// Which of the kinds of traffic of open connections packets may be: requests, a transfer or a tunnel, what is acknowledged. They are told by their lengths,
// by the packets of a record, and by the source ports, which systems take from a part of the range.
import { distinctPorts, distinctSources, sourcePortSpread } from '../../aggregate/marks.ts'
import { TCP } from '../../net/protocols.ts'
import { bulkPartial, type Vector } from '../../vectors/vectors.ts'
import { connections } from '../lines/connections.ts'
import { judgement } from '../lines/judgement.ts'
import type { Window } from '../rates/rates.ts'

/** Whether packets of connections of few sources belong to many of these, and are short: requests, and no transfer. */
export function areRequests(window: Window, { connection, ordinary, signature }: Vector): boolean {
  if (connection === undefined || !ordinary || distinctPorts(window.ports) > connections.portsMax) return false
  if (isEachOne(window) && sourcePortSpread(window.ports) < judgement.systemSpread) return false
  if (window.bytes > signature.packetBytes[1] * window.packets) return false
  const perRecord = window.observed / window.flows
  const most = isSampled(window) ? judgement.transferSampled : judgement.requestsRecord
  // How many packets a record has is a matter of the timeouts of the exporter, too.
  return perRecord <= most || (hasSystemPorts(window) && !areBare(window))
}

/** Whether packets are hardly longer than their headers: acknowledgements of what the target sends. */
function areBare({ packets, bytes }: Window): boolean {
  return bytes <= connections.hardlyUsedBytesMax * packets
}

/** Whether source ports are from as much of the range as systems take those of many connections from. */
function hasSystemPorts({ ports }: Window): boolean {
  const spread = sourcePortSpread(ports)
  return spread >= judgement.systemSpread && spread < judgement.sprayedSpread
}

/** Whether packets may be those of a transfer, or of a tunnel: of few flows, which are long. */
export function isTransfer(window: Window, { match, ordinary, raise, connection }: Vector): boolean {
  if (!ordinary && raise.partialPacketsPerSecond < bulkPartial) return false
  const isOfFew = distinctSources(window.sources) < judgement.transferSources
  const isFull = match.protocol === TCP && window.bytes >= judgement.transferBytes * window.packets
  if (isSampled(window) && isEachOne(window)) return connection !== undefined && isOfFew && isOfFewPorts(window)
  const least = isSampled(window) ? judgement.transferSampled : judgement.transferRecord
  return window.observed >= least * window.flows && (isOfFew || isFull)
}

/** Whether each packet has a record of its own: where an exporter does that with all packets (sFlow), records say nothing of the number of connections. */
export function isEachOne({ observed, flows }: Window): boolean {
  return observed <= judgement.unconnectedRatio * flows
}

/** Whether ports at both ends are those of few connections. */
function isOfFewPorts({ ports }: Window): boolean {
  return sourcePortSpread(ports) < judgement.systemSpread && distinctPorts(ports) <= connections.portsMax
}

/**
 * Whether packets that come without those that open connections may belong to ones that last for hours: they are long, as those of transfers, and have the
 * source ports that systems give to connections. Unsampled, a flood has a record for each packet, and a transfer has not.
 */
export function areLongConnections(window: Window, { match, signature }: Vector): boolean {
  const areLong = match.srcPort === undefined && window.bytes > signature.packetBytes[1] * window.packets
  return areLong && mayLast(window)
}

/** Whether such packets may be what viewers of a stream, or downloads of hours, acknowledge: they have nothing but headers, and such source ports. */
export function areBareAcknowledgements(window: Window, { match, connection }: Vector): boolean {
  const isPart = connection === 'acknowledges' || connection === 'carries'
  const areSeen = window.observed >= judgement.spreadObserved
  return isPart && areSeen && match.srcPort === undefined && areBare(window) && mayLast(window)
}

/** Whether packets may be of many connections that last for hours. */
function mayLast(window: Window): boolean {
  return (isSampled(window) || !isEachOne(window)) && hasSystemPorts(window)
}

export function isSampled({ packets, observed }: Window): boolean {
  return packets > observed * judgement.sampledRatio
}
