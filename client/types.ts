// The shapes of the interface, as the service declares them. Types only: nothing of the service is in the client at run time.

export interface Site {
  create_time: string
  group_id: string | null
  group_name: string
  host: string
  is_enable: boolean
  user_email: string
}

export interface DdosEvent {
  _id: string
  cts: string
  curavg_bps: number
  curavg_flows: number
  curavg_pps: number
  deviate: number
  ip: string
  domain: string
  site: string
  attack_type?: string | null
}

export interface StatisticEntry {
  Item: number
  Bytes: number
  Flows: number
  Packets: number
  Prots: Record<string, Record<string, never>>
}

export interface DdosEventDetail extends Omit<DdosEvent, 'attack_type'> {
  dac: { domain: string; a: Record<string, string>; cname: Record<string, string> }[]
  dstport: StatisticEntry[]
  srcport: StatisticEntry[]
  srcip: StatisticEntry[]
  proto: StatisticEntry[]
  flags: StatisticEntry[]
}

export interface AddOutcome {
  status: number
  success: string[]
  error: Record<string, string>[]
}

export interface BatchOutcome {
  status: number
  success: string[]
  error: string[]
}
