// What a receiver really gets, held against what the description of the interface says that it gets.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { Value } from 'typebox/value'
import { createTestApi, type TestApi } from '../../../test/helpers/api.ts'
import { addEvents, eventOf } from '../../../test/helpers/events.ts'
import { WebhookReceiver } from '../../../test/helpers/servers/webhook-receiver.ts'
import { until } from '../../../test/helpers/until.ts'
import { routingOf } from '../../../test/store-contract/alerts/parts.ts'
import { type NewNotice, turnKinds } from '../../alert/notice.ts'
import { type ConditionType, conditionKinds, type Problem } from '../../alert/own/condition.ts'
import { firstRule } from '../../alert/rules/rule.ts'
import { webhookBodyShape, webhookTypes } from '../../contract/alerts/webhooks.ts'

it('each type of webhook has the body that the description says', async (t) => {
  const receiver = await new WebhookReceiver().start()
  const api = await createTestApi()
  t.after(async () => {
    await api.alerts.stop()
    await api.close()
    receiver.stop()
  })
  const { user } = await api.addCaller('ann@example.com', { role: 'admin' })
  const event = eventOf(user.id, 1)
  await addEvents(api.store, [event])
  const id = randomBytes(8).toString('hex')
  const sealed = api.alerts.channels.seal(id, { secret: `whsec_${randomBytes(24).toString('base64')}` })
  const given = { id, kind: 'webhook', name: 'hook', settings: { url: receiver.url }, sealed, quiet: null }
  const channel = await api.store.addChannel(user.id, given, 10)

  const notices = turnKinds.map((kind, index): NewNotice => {
    const before = index === 0 ? null : ({ severity: 'low', label: index === 1 ? null : 'udp@attack@x' } as const)
    const facts = { severity: 'high' as const, label: null, before }
    return { userId: user.id, eventId: event.id, kind, number: index + 1, atMs: api.clock.now(), facts }
  })
  await api.store.route(
    routingOf(
      0,
      notices.map((notice) => [notice, id]),
    ),
  )
  const told: string[] = []
  api.alerts.onChanged = (userId) => told.push(userId)
  api.alerts.wake()
  await until('all are sent', async () => receiver.received.length === turnKinds.length)
  await api.alerts.channels.test(channel)
  await tellsOwn(api, user.id)
  // As it begins and as it ends.
  await until('who listens has been told', async () => told.length >= 2 * turnKinds.length)
  assert.deepEqual(new Set(told), new Set([user.id]))

  const types = new Set(
    receiver.received.map(({ body, headers }) => {
      const sent = JSON.parse(body)
      const row = webhookTypes[sent.type]
      assert.ok(row !== undefined, `${sent.type} is not described`)
      assert.deepEqual([...Value.Errors(webhookBodyShape(sent.type, row), sent)], [], sent.type)
      assert.match(String(headers['webhook-id']), /^msg_[A-Za-z0-9_]+$/)
      return sent.type
    }),
  )
  assert.deepEqual([...types].sort(), Object.keys(webhookTypes).sort())
})

/** What the installation itself cannot see or do, and that it is over, to the channels of an admin. */
async function tellsOwn(api: TestApi, userId: string): Promise<void> {
  const owner = { userId, exceptChannelId: null }
  const problems = Object.keys(conditionKinds).map((type): Problem => {
    const about = {
      type: type as ConditionType,
      owner: conditionKinds[type as ConditionType].isForAdmins ? null : owner,
    }
    return { ...about, subject: 'x', detail: 'y', sinceMs: 0, untilMs: type === 'service.blind' ? 1 : null }
  })
  let found: Problem[] = problems
  const own = api.alerts.ownHealth({ find: async () => found, whyOver: async () => '' })
  await own.look()
  found = []
  await own.look()
  const report = { day: null, hour: 8, timeZone: 'UTC' }
  await api.store.addRule(userId, { ...firstRule, id: 'r0', report }, 10)
  await api.alerts.reporter.look()
  api.clock.advance(86_400_000)
  await api.alerts.reporter.look()
}
