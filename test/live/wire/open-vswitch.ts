// Open vSwitch in the victim's namespace: a bridge in user space, which needs no module of the kernel, between the wire and the victim. Its
// database, sockets and logs lie in the lab's folder; its daemons end with the lab.
import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Lab, Running } from './lab.ts'

const bridge = 'bridge'
const schema = '/usr/share/openvswitch/vswitch.ovsschema'
const startSeconds = 10

/** Records that are made of packets and of flows, as options of a row of the database. */
const records = {
  netflow: { table: 'NetFlow', settings: ['active_timeout=1'] },
  ipfix: {
    table: 'IPFIX',
    settings: ['sampling=1', 'cache_active_timeout=1', 'cache_max_flows=10000', 'obs_domain_id=7', 'obs_point_id=1'],
  },
  sflow: { table: 'sFlow', settings: ['sampling=1', 'header=128', 'polling=10', 'agent=report'] },
} as const

export type RecordKind = keyof typeof records

export interface Bridge {
  /** The victim's interface. */
  name: string
  exporting: Running
  /** Exports to an address from now on, by more settings than the usual ones. */
  report: (kind: RecordKind, to: { address: string; port: number }, settings?: readonly string[]) => void
}

export async function startBridge(lab: Lab, folder: string): Promise<Bridge> {
  const run = `${folder}/ovs`
  mkdirSync(run)
  const env = { ...process.env, OVS_RUNDIR: run, OVS_LOGDIR: run, OVS_DBDIR: run }
  const database = `unix:${run}/db.sock`
  const daemon = (name: string, args: readonly string[]) =>
    lab.start(name, [...args, '--pidfile', `--unixctl=${run}/${name}.ctl`], { namespace: lab.victim, env })
  const set = (...args: string[]) => lab.runInVictim('ovs-vsctl', [`--db=${database}`, '--timeout=5', ...args], env)

  lab.runInVictim('ovsdb-tool', ['create', `${run}/conf.db`, schema], env)
  daemon('ovsdb-server', [`${run}/conf.db`, `--remote=p${database}`])
  await succeeds(() => set('--no-wait', 'init'))
  const exporting = daemon('ovs-vswitchd', [database])
  // A flow that is quiet for a second has ended.
  set('--no-wait', 'set', 'Open_vSwitch', '.', 'other_config:max-idle=1000')
  set('add-br', bridge, '--', 'set', 'bridge', bridge, 'datapath_type=netdev')
  set('add-port', bridge, lab.wire)
  lab.moveVictim(bridge)
  return {
    name: bridge,
    exporting,
    report: (kind, { address, port }, more = []) => {
      const { table, settings } = records[kind]
      const row = ['--id=@row', 'create', table, `targets="${address}:${port}"`, ...settings, ...more]
      set('--', 'set', 'Bridge', bridge, `${kind}=@row`, '--', ...row)
    },
  }
}

/** A bridge that exports records of one kind. */
export const openVswitch =
  (kind: RecordKind) =>
  async (lab: Lab, to: { address: string; port: number }, folder: string): Promise<Running> => {
    const { exporting, report } = await startBridge(lab, folder)
    report(kind, to)
    return exporting
  }

async function succeeds(attempt: () => void): Promise<void> {
  for (const end = Date.now() + startSeconds * 1_000; ; await sleep(100)) {
    try {
      return attempt()
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}
