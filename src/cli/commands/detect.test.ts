import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Command } from 'commander'
import { Commands } from '../../../test/helpers/commands/commands.ts'
import { type DatagramToCapture, encodeCapture } from '../../../test/helpers/encode/capture.ts'
import { Exporter } from '../../../test/helpers/exporter.ts'
import { formatKey } from '../../net/address.ts'
import { registerDetect } from './detect.ts'

const startMs = 1_800_000_000_000
const victim = '198.51.100.7'

/** 20 seconds of 1,500 NTP answers a second from everywhere, which the exporter reports second by second. */
function attack(fromMs: number): DatagramToCapture[] {
  const exporter = new Exporter({ protocol: 'netflow5' })
  return Array.from({ length: 20 * 5 }, (_, i) => {
    const timeMs = fromMs + i * 200
    const flows = Array.from({ length: 30 }, (_, j) => ({
      src: formatKey(0x0a000000 + i * 30 + j),
      dst: victim,
      srcPort: 123,
      dstPort: 80,
      ipProto: 17,
      packets: 10,
      bytes: 4_680,
      startMs: timeMs - 200,
      endMs: timeMs - 100,
    }))
    return exporter.datagrams(flows, timeMs).map((payload) => ({ timeMs, payload }))
  }).flat()
}

describe('floodgauge detect', () => {
  let folder = ''
  let commands: Commands
  const detect = async (args: string[], input?: Buffer) => {
    const { status, out, err } = await commands.run(['detect', ...args], { input })
    return { status, stdout: out, stderr: err }
  }
  const file = (name: string) => join(folder, name)
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'floodgauge-detect-'))
    commands = new Commands(folder)
    writeFileSync(file('first.pcap'), encodeCapture(attack(startMs)))
    writeFileSync(file('second.pcap'), encodeCapture(attack(startMs + 900_000)))
    writeFileSync(file('broken.pcap'), encodeCapture(attack(startMs)).subarray(0, 2_000))
    writeFileSync(file('hosts.txt'), '# watched\n198.51.100.0/24\n\n192.0.2.99\n')
  })
  after(async () => {
    await commands.close()
    rmSync(folder, { recursive: true })
  })

  it('prints each event as one line, in the detail form and more', async () => {
    const { status, stdout, stderr } = await detect([file('first.pcap'), '--watch', '198.51.100.7,198.51.100.0/24'])
    assert.equal(stderr, '')
    assert.equal(status, 0)
    const event = JSON.parse(stdout)
    assert.match(event._id, /^[0-9a-f]{24}$/)
    assert.match(event.cts, /^2027-01-15T08:00:0\d\+00:00$/)
    assert.equal(event.ip, '198.51.100.7')
    assert.equal(event.site, '198.51.100.7')
    assert.equal(event.attack_type, 'udp@attack@amp_flood_target-NTP')
    assert.deepEqual(event.srcport, [
      { Item: 123, Bytes: 14_040_000, Flows: 3_000, Packets: 30_000, Prots: { 17: {} } },
    ])
    assert.ok(Math.abs(event.curavg_pps - 90_000) < 9_000, `${event.curavg_pps}`)
    assert.match(event.start, /\+00:00$/)
    assert.match(event.end, /\+00:00$/)
    assert.ok(event.peak.packetsPerSecond >= 1_400)
    assert.equal(event.why[0].metric, 'packets')
  })

  it('gives the same bytes twice, from a file or standard input', async () => {
    const args = ['--watch', '198.51.100.0/24']
    const once = (await detect([file('first.pcap'), ...args])).stdout
    assert.notEqual(once, '')
    assert.equal((await detect([file('first.pcap'), ...args])).stdout, once)
    assert.equal((await detect(['-', ...args], readFileSync(file('first.pcap')))).stdout, once)
  })

  it('reads several files in order, and hosts from a file', async () => {
    const { stdout } = await detect([file('first.pcap'), file('second.pcap'), '--watch', `@${file('hosts.txt')}`])
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.equal(events.length, 2)
    assert.ok(events[0].cts < events[1].cts)
    assert.equal(events[0].site, '198.51.100.0/24')
  })

  describe('--each', () => {
    const options = () => ['--watch', '198.51.100.0/24']
    const eventsOf = (stdout: string) => {
      const lines = stdout.split('\n').filter((line) => line !== '')
      return lines.map((line) => JSON.parse(line))
    }

    it('finds in each file what it finds in it alone, in the order of the files, however many run at a time', async () => {
      const files = ['second.pcap', 'first.pcap', 'second.pcap'].map(file)
      const alone = []
      for (const each of files) {
        const { stdout } = await detect([each, ...options()])
        alone.push(...eventsOf(stdout).map((event) => ({ ...event, file: each })))
      }
      const expected = alone.map((event) => `${JSON.stringify(event)}\n`).join('')
      assert.equal(alone.length, 3)
      for (const jobs of ['1', '3']) {
        const { status, stdout, stderr } = await detect([...files, '--each', '--jobs', jobs, ...options()])
        assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: expected, stderr: '' })
      }
    })

    it('a file that can not be read fails alone', async () => {
      const files = ['first.pcap', 'broken.pcap', 'nowhere.pcap', 'second.pcap'].map(file)
      const { status, stdout, stderr } = await detect([...files, '--each', '--jobs', '2', ...options()])
      assert.equal(status, 1)
      assert.deepEqual(
        eventsOf(stdout).map((event) => event.file),
        [files[0], files[3]],
      )
      assert.match(stderr, /^floodgauge: \S+broken\.pcap: the file ends within a frame$/m)
      assert.match(stderr, /^floodgauge: \S+nowhere\.pcap: ENOENT/m)
      assert.match(stderr, /^floodgauge: 2 of 4 files could not be read to their end$/m)
    })
  })

  it('takes a sampling rate in place of the exporters', async () => {
    const { stdout } = await detect([file('first.pcap'), '--watch', '198.51.100.7', '--sampling', '10'])
    assert.equal(JSON.parse(stdout).srcport[0].Packets, 300_000)
  })

  it('finds nothing for an address without attack, and says so', async () => {
    const nothing = await detect([file('first.pcap'), '--watch', '198.51.100.8'])
    assert.deepEqual(nothing, { status: 0, stdout: '', stderr: 'no events\n' })
  })

  const wrong: [what: string, args: string[], error: string, says: RegExp][] = [
    ['a name', ['first.pcap', '--watch', 'www.example.com'], 'UsageError', /name/],
    ['a wildcard', ['first.pcap', '--watch', '*.example.com'], 'UsageError', /name/],
    ['a host that is invalid', ['first.pcap', '--watch', '192.0.2.0/8'], 'UsageError', /CIDR prefix must be >=16/],
    ['no host', ['first.pcap', '--watch', ','], 'UsageError', /no host/],
    ['no --watch', ['first.pcap'], 'CommanderError', /--watch/],
    ['no file', ['--watch', '192.0.2.1'], 'CommanderError', /FILE/],
    ['a list that is not there', ['first.pcap', '--watch', '@nowhere.txt'], 'UsageError', /nowhere\.txt/],
    ['a sampling rate of zero', ['first.pcap', '--watch', '192.0.2.1', '--sampling', '0'], 'UsageError', /--sampling/],
    ['jobs without --each', ['first.pcap', '--watch', '192.0.2.1', '--jobs', '2'], 'UsageError', /--each/],
    ['no jobs', ['first.pcap', '--watch', '192.0.2.1', '--each', '--jobs', '0'], 'UsageError', /--jobs/],
    ['a capture that is not there', ['nowhere.pcap', '--watch', '192.0.2.1'], 'AppError', /nowhere\.pcap/],
    ['a file that is no capture', ['hosts.txt', '--watch', '192.0.2.1'], 'AppError', /hosts\.txt/],
  ]
  for (const [what, [first, ...rest], name, says] of wrong) {
    it(`refuses ${what}`, async () => {
      const program = new Command().exitOverride().configureOutput({ writeErr: () => {} })
      registerDetect(program)
      for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: () => {} })
      const args = ['detect', first.startsWith('--') ? first : file(first), ...rest]
      await assert.rejects(program.parseAsync(args, { from: 'user' }), (error: Error) => {
        assert.equal(error.constructor.name, name)
        assert.match(error.message, says)
        return true
      })
    })
  }

  it('ends with status 2 for wrong usage', async () => {
    assert.equal((await detect([file('first.pcap'), '--watch', 'www.example.com'])).status, 2)
  })
})
