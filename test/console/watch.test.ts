// What the watch reads of the console: the exact numbers of an event's page, which follows the service while it stays open.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openConsole } from '../../scripts/watch/console.ts'
import { makeFirstUser } from '../helpers/first-user.ts'
import { attackUntil, flowSender } from '../helpers/flows.ts'
import { startService } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'
import { findProgram, skip } from '../live/requirements.ts'

const victim = '198.51.100.10'

test('the page of an event has the numbers of the report, and follows them', { skip, timeout: 480_000 }, async (t) => {
  const service = await startService()
  t.after(() => service.stop())
  const { client, email, token } = await makeFirstUser(service)
  await client.addSites([victim])
  const sender = await flowSender(service.flowAddresses[0])
  t.after(() => sender.close())
  const shown = await openConsole({
    base: service.url,
    headers: { 'x-svc-authemail': email, 'x-svc-authtoken': token },
    browserFile: findProgram('chromium-headless-shell'),
  })
  t.after(() => shown.close())

  /** Attacks until the event has more packets than given; then until the console shows what the report says. */
  const agreeAfter = async (packets: number) => {
    const report = async () => {
      const [event] = await client.findEvents()
      return event === undefined ? null : client.getEventReport(event.id)
    }
    await attackUntil(sender, victim, async () => ((await report())?.total.packets ?? 0) > packets)
    return until('the console shows the report', async () => {
      const now = await report()
      assert.ok(now)
      const [{ way, numbers }] = await shown.read(now)
      assert.equal(way, 'the console')
      assert.deepEqual(Object.keys(numbers).sort(), [
        'average.bytesPerSecond',
        'average.packetsPerSecond',
        'peak.bytesPerSecond',
        'peak.packetsPerSecond',
        'total.bytes',
        'total.packets',
      ])
      const { total, average, peak } = now
      const isSame = [
        [numbers['total.packets'], total.packets],
        [numbers['total.bytes'], total.bytes],
        [numbers['average.packetsPerSecond'], average.packetsPerSecond],
        [numbers['peak.bytesPerSecond'], peak.bytesPerSecond],
      ].every(([ours, theirs]) => ours === theirs)
      return isSame && total.packets
    })
  }
  const first = await agreeAfter(0)
  const second = await agreeAfter(first + 1)
  assert.ok(second > first)
})
