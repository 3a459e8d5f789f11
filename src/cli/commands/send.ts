// `floodgauge send`: replays captured exports to a collector, at the pace of the capture or another.
import { lookup } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { readCapture } from '../../collect/capture/reader.ts'
import { Rebaser } from '../../decode/templates/rebase.ts'
import { AppError } from '../../errors.ts'
import { parseListen } from '../../net/listen.ts'
import { ReplaySockets } from '../replay-sockets.ts'
import { Progress } from '../text/progress.ts'
import { UsageError } from '../usage.ts'

interface SendOptions {
  to: string
  speed: string
  rebase?: true
}

export function registerSend(program: Command): void {
  program
    .command('send')
    .description('Replay captured exports to a collector')
    .argument('<file>', 'capture of NetFlow, IPFIX or sFlow: pcap or pcapng, also gzipped; - is standard input')
    .requiredOption('--to <host:port>', 'where to send them, by UDP')
    .option('--speed <factor>', 'factor of the speed at which they were captured, or max', '1')
    .option('--rebase', 'move the times in the exports to now')
    .action(send)
}

/** Waits that are shorter are not worth it: timers are no finer. */
const waitMsMin = 2

async function send(file: string, options: SendOptions): Promise<void> {
  const speed = parseSpeed(options.speed)
  const sockets = new ReplaySockets(await parseTarget(options.to))
  const startedMs = Date.now()
  const rebaser = new Rebaser()
  let firstMs: number | null = null
  const capture = readCapture(file)
  const progress = new Progress(file, capture)
  try {
    for await (const { timeMs, address, port, payload } of capture) {
      firstMs ??= timeMs
      const exporter = `${address} ${port}`
      if (options.rebase) rebaser.rebase(payload, exporter, startedMs + timeMs - firstMs)
      const dueMs = startedMs + (timeMs - firstMs) / speed
      const waitMs = dueMs - Date.now()
      if (waitMs >= waitMsMin) await sleep(waitMs)
      const sent = sockets.send(payload, exporter)
      if (sent !== undefined) await sent
      progress.show(`, ${sockets.sent} datagrams sent`)
    }
    await sockets.settled()
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('INTERNAL', `sending to ${options.to}: ${error instanceof Error ? error.message : error}`)
  } finally {
    progress.end()
    sockets.close()
  }
  const seconds = (Date.now() - startedMs) / 1000
  process.stderr.write(`sent ${sockets.sent} datagrams in ${seconds.toFixed(1)} s\n`)
}

/** Captured seconds a second. */
function parseSpeed(text: string): number {
  if (text === 'max') return Number.POSITIVE_INFINITY
  const speed = Number(text)
  if (!(speed > 0) || !Number.isFinite(speed)) throw new UsageError(`--speed: a number above 0, or max, not ${text}`)
  return speed
}

async function parseTarget(text: string): Promise<{ host: string; port: number; family: number }> {
  const { host, port } = parseListen(text)
  if (!/^(\[[0-9a-fA-F:.]+\]|[^:\s[\]]+):\d{1,5}$/.test(text) || port < 1 || port > 65_535) {
    throw new UsageError(`--to: HOST:PORT, not ${text}`)
  }
  try {
    const { address, family } = await lookup(host)
    return { host: address, port, family }
  } catch (error) {
    throw new AppError('INTERNAL', `${host}: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}
