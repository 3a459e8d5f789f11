// FastNetMon 1.2 of Debian with the file that Debian gives it, on addresses and in folders of its own, and what its notify script was told.
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, makeFolder, Program } from '../peers/collectors.ts'

export interface Ban {
  atMs: number
  label: string
  /** Packets a second. */
  rate: number
}

export interface FastNetMon {
  netflowPort: number
  sflowPort: number
  /** What it said first of an address in this prefix (dots included), or of an address. */
  banOf: (isMeant: (address: string) => boolean) => Ban | null
  stop: () => Promise<void>
}

const debianFile = '/etc/fastnetmon.conf'

/** Its script: a file for each call, named when, of which address, how much and what. */
const script = (folder: string) => `#!/bin/sh
at=$(date +%s%3N)
cat > ${folder}/part.$$
mv ${folder}/part.$$ ${folder}/call,$at,$1,$3,$4
`

export async function startFastNetMon(networks: readonly string[]): Promise<FastNetMon> {
  const folder = makeFolder()
  const file = (name: string, text = '') => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const [netflowPort, sflowPort] = [await freePort('udp'), await freePort('udp')]
  const notify = file('notify', script(folder))
  chmodSync(notify, 0o755)
  const settings: Record<string, string | number> = {
    disable_usage_report: 'on',
    netflow: 'on',
    netflow_host: '127.0.0.1',
    netflow_port: netflowPort,
    sflow: 'on',
    sflow_host: '127.0.0.1',
    sflow_port: sflowPort,
    interfaces: '',
    monitor_local_ip_addresses: 'off',
    enable_api: 'off',
    prometheus: 'off',
    networks_list_path: file('networks', `${networks.join('\n')}\n`),
    white_list_path: file('allowed'),
    notify_script_path: notify,
    cli_stats_file_path: file('state'),
    cli_stats_ipv6_file_path: file('state6'),
  }
  const kept = readFileSync(debianFile, 'utf8')
    .split('\n')
    .filter((line) => !Object.hasOwn(settings, line.split('=')[0].trim()))
  const own = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const configuration = file('settings', `${[...kept, ...own].join('\n')}\n`)
  const args = ['--configuration_file', configuration, '--log_to_console', '--disable_pid_logic']
  const program = new Program('fastnetmon', folder, args)
  await program.listens(netflowPort)
  await program.listens(sflowPort)
  return {
    netflowPort,
    sflowPort,
    banOf: (isMeant) => firstBan(folder, isMeant),
    async stop() {
      await program.stop('SIGTERM')
      program.remove()
    },
  }
}

function firstBan(folder: string, isMeant: (address: string) => boolean): Ban | null {
  const bans = readdirSync(folder).flatMap((name) => {
    const [kind, atMs, address, rate, action] = name.split(',')
    if (kind !== 'call' || action !== 'ban' || !isMeant(address)) return []
    const text = existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : ''
    const label = /^Attack type: (\S+)/m.exec(text)?.[1] ?? 'unknown'
    return [{ atMs: Number(atMs), label, rate: Number(rate) }]
  })
  return bans.sort((a, b) => a.atMs - b.atMs)[0] ?? null
}
