// The addresses of this machine, which exporters may be pointed at.
import { networkInterfaces } from 'node:os'

/** But for loopback and link-local ones; IPv4 first. */
export function machineAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return all
    .filter(({ internal, address }) => !internal && !/^(?:fe80:|169\.254\.)/i.test(address))
    .toSorted((a, b) => a.family.localeCompare(b.family))
    .map(({ address }) => address)
}
