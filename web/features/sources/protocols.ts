// The protocols of exports by their own names.

const names: Readonly<Record<string, string>> = {
  netflow5: 'NetFlow v5',
  netflow9: 'NetFlow v9',
  ipfix: 'IPFIX',
  sflow5: 'sFlow v5',
}

export const protocolName = (protocol: string) => names[protocol] ?? protocol
