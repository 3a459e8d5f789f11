// Every row of the kinds over HTTP, against servers that check requests by what the makers of services have published, and with names from hostile strangers.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { Value } from 'typebox/value'
import { installationOf, ofSystem } from '../../../test/helpers/labs/alerts.ts'
import { messageOf, ownMessageOf } from '../../../test/helpers/labs/messages.ts'
import { forbidden, nastyValues } from '../../../test/helpers/labs/nasty.ts'
import { vendors } from '../../../test/helpers/labs/vendors.ts'
import { type Received, WebhookReceiver } from '../../../test/helpers/servers/webhook-receiver.ts'
import { patienceMs } from '../../../test/helpers/until.ts'
import type { EventReport } from '../../contract/events/event.ts'
import { reportExample } from '../../contract/events/examples.ts'
import { listOf } from '../outgoing/reach.ts'
import type { ChannelKind, Message, SendResult } from './kind.ts'
import { channelKinds } from './kinds.ts'

let receiver: WebhookReceiver
let base: string
beforeEach(async () => {
  receiver = await new WebhookReceiver(() => ({ status: 200 })).start()
  base = new URL(receiver.url).origin
})
afterEach(() => receiver.stop())

const overHttp = [...channelKinds.values()].filter(({ kind }) => kind in vendors)
const installation = installationOf({ publicUrl: 'https://ddos.example.net' })

function sendTo(kind: ChannelKind, message: Message, given: Record<string, unknown> = {}): Promise<SendResult> {
  const vendor = vendors[kind.kind]
  return kind.send(message, {
    ...{ settings: { ...vendor.settings(base), ...given }, secrets: vendor.secrets(base), installation },
    ...{
      reach: 'any',
      allowed: listOf([]),
      resolve: ofSystem,
      userId: 'u1',
      email: 'ann@example.com',
      channelId: 'c1',
      nowMs: Date.UTC(2026, 0, 2),
    },
    signal: AbortSignal.timeout(patienceMs),
  })
}

function checkLast(kind: ChannelKind, type: string): unknown {
  const vendor = vendors[kind.kind]
  const last = receiver.received[receiver.received.length - 1]
  const isEnd = type === 'event.ended'
  const path = (isEnd && vendor.endPath) || vendor.path
  if (typeof path === 'string') assert.equal(last.path, path)
  else assert.match(last.path, path)
  assert.equal(last.headers['content-type'], 'application/json')
  for (const [name, value] of Object.entries(vendor.headers ?? {})) assert.equal(last.headers[name], value)
  const body = JSON.parse(last.body)
  const faults = Value.Errors((isEnd && vendor.endBody) || vendor.body, body)
  assert.deepEqual([...faults].slice(0, 3), [], `${kind.kind} ${type}: ${last.body.slice(0, 400)}`)
  return body
}

/** Every text within a value of JSON. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

/** What there is of a request, apart from what its texts say. */
function outlineOf({ path, headers, body }: Received): unknown {
  const of = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(of)
    if (typeof value !== 'object' || value === null) return typeof value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, of(each)]))
  }
  return { path, headers: Object.keys(headers).sort(), body: of(JSON.parse(body)) }
}

const plainStart = { type: 'event.started', settings: {} }
const templates = {
  titleTemplate: '{{event.site}} {{event.domain}} {{title}}',
  textTemplate: '{{event.attack}} {{event.attackType|upper}}\n{{facts}}\n{{event.domain}}',
}

function takesTemplates({ settings }: ChannelKind): boolean {
  return 'properties' in settings && Object.hasOwn(Object(settings.properties), 'textTemplate')
}

function hostile(value: string): Partial<EventReport> {
  const dns = reportExample.dns.map((each) => ({ ...each, domain: value }))
  const why = reportExample.why.map((each) => ({ ...each, metric: value }))
  const vectors = [{ attackType: value, share: 0.9, packetsPerSecond: 1 }]
  return { site: value, domain: value, attackType: value, dns, why, vectors, sites: [value] }
}

describe('channels', () => {
  it('are rows that a form can be made of', () => {
    assert.equal(channelKinds.size, 15)
    // Those have tests of their own, with the same nasty names.
    const apart = [...channelKinds.keys()].filter((kind) => !(kind in vendors))
    assert.deepEqual(apart, ['webhook', 'mail', 'syslog', 'exec'])
    for (const kind of channelKinds.values()) {
      assert.match(kind.kind, /^[a-z][a-z-]*$/)
      assert.ok(kind.title !== '' && kind.proof !== '')
      for (const schema of [kind.settings, kind.secrets]) {
        const { type, properties, additionalProperties } = Object(schema)
        assert.deepEqual([type, additionalProperties], ['object', false], kind.kind)
        for (const [name, { description }] of Object.entries<{ description?: string }>(properties))
          assert.ok(description !== undefined, `${kind.kind}: ${name}`)
      }
    }
  })

  for (const kind of overHttp) {
    it(`${kind.kind}: requests are as its makers say`, async () => {
      const settings = vendors[kind.kind].settings(base)
      assert.ok(Value.Check(kind.settings, settings) && Value.Check(kind.secrets, vendors[kind.kind].secrets(base)))
      assert.deepEqual(
        kind.places(settings, vendors[kind.kind].secrets(base)).map(([, url]) => new URL(url).origin),
        [base],
      )
      for (const type of [
        'event.started',
        'event.worsened',
        'event.vector',
        'event.resumed',
        'event.ended',
        'alert.test',
      ]) {
        assert.equal((await sendTo(kind, messageOf(type))).outcome, 'done')
        checkLast(kind, type)
      }
      assert.equal(receiver.received.length, 6)
    })

    it(`${kind.kind}: says what is wrong with the installation, and that it is over, with names as text`, async () => {
      for (const value of ['192.0.2.1', ...nastyValues]) {
        for (const isOver of [false, true]) {
          const untilMs = isOver ? Date.UTC(2026, 0, 2) : null
          const message = ownMessageOf({ subject: value, detail: value, isOver, untilMs })
          assert.equal((await sendTo(kind, message, takesTemplates(kind) ? templates : {})).outcome, 'done')
          const body = checkLast(kind, isOver ? 'event.ended' : message.type)
          for (const text of textsIn(body))
            for (const rule of forbidden[vendors[kind.kind].reads]) assert.doesNotMatch(text, rule, text.slice(0, 300))
          if (value === '192.0.2.1' && (!isOver || vendors[kind.kind].endBody === undefined))
            assert.match(JSON.stringify(body), /192\.0\.2\.1/)
        }
      }
    })

    it(`${kind.kind}: people can take note of an event by a link, where there is one`, async () => {
      const link = { acknowledgeUrl: 'https://ddos.example.net/api/v1/alerts/acknowledge?t=0.1.2.3' }
      for (const given of [link, {}]) {
        assert.equal((await sendTo(kind, { ...messageOf('event.started'), ...given })).outcome, 'done')
        const texts = textsIn(checkLast(kind, 'event.started'))
        const isLinked = texts.some((text) => text.includes(link.acknowledgeUrl))
        assert.equal(isLinked, kind.audience === 'people' && 'acknowledgeUrl' in given, kind.kind)
      }
    })

    it(`${kind.kind}: says what its templates say, where it is for people`, async () => {
      assert.equal(takesTemplates(kind), kind.audience === 'people')
      if (!takesTemplates(kind)) return
      const said = { titleTemplate: 'TITLE {{event.site}}', textTemplate: 'A & B\n{{event.peak.bitsPerSecond|bits}}' }
      assert.equal((await sendTo(kind, messageOf('event.started'), said)).outcome, 'done')
      const text = textsIn(checkLast(kind, 'event.started')).join('\n')
      assert.match(text, /TITLE \\?\*\.example\.com/)
      assert.match(text, /A & B\n(?:RichTextBlock\nTextRun\n)?330 Mbit\/s/)
      assert.doesNotMatch(text, /Severity/)
      const [fault] =
        kind.faults?.({ textTemplate: '{{event.sight}}' }, { reach: 'any', email: '' }, installation) ?? []
      assert.deepEqual([fault.pointer, fault.detail.includes('event.site')], ['/settings/textTemplate', true])
    })

    it(`${kind.kind}: names of strangers stay text`, async () => {
      const cases = takesTemplates(kind)
        ? [{ type: 'event.started', settings: templates }, plainStart]
        : [{ type: 'event.ended', settings: {} }, plainStart]
      // As many headers, members and elements as with a name that is like none of these.
      for (const { type, settings } of cases) await sendTo(kind, messageOf(type, hostile('a.example.net')), settings)
      const plain = receiver.received.map(outlineOf)
      for (const value of nastyValues)
        for (const [index, { type, settings }] of cases.entries()) {
          receiver.received.length = 0
          const { outcome } = await sendTo(kind, messageOf(type, hostile(value)), settings)
          assert.deepEqual([outcome, receiver.received.length], ['done', 1], value.slice(0, 50))
          const texts = textsIn(checkLast(kind, type))
          assert.deepEqual(outlineOf(receiver.received[0]), plain[index], value.slice(0, 50))
          const rules = forbidden[vendors[kind.kind].reads]
          for (const text of texts)
            for (const rule of rules)
              assert.doesNotMatch(text, rule, `${kind.kind}: ${JSON.stringify(text.slice(0, 300))}`)
        }
    })
  }

  it('wait when they are asked to, and stop where nobody is', async () => {
    const [slack, telegram] = ['slack', 'telegram'].map((name) => channelKinds.get(name))
    assert.ok(slack !== undefined && telegram !== undefined)
    receiver.answer = () => ({ status: 429, headers: { 'retry-after': '30' } })
    assert.deepEqual(await sendTo(slack, messageOf('event.started')), {
      outcome: 'busy',
      pauseMs: 30_000,
      text: 'HTTP 429',
    })
    receiver.answer = () => ({ status: 429, body: '{"ok":false,"parameters":{"retry_after":35}}' })
    assert.equal((await sendTo(telegram, messageOf('event.started'))).pauseMs, 35_000)
    receiver.answer = () => ({ status: 404 })
    assert.equal((await sendTo(slack, messageOf('event.started'))).outcome, 'refused')
    receiver.answer = () => ({ status: 410 })
    assert.equal((await sendTo(slack, messageOf('event.started'))).outcome, 'gone')
  })

  it('say no secret when something fails', async () => {
    receiver.stop()
    for (const kind of overHttp) {
      const { outcome, text } = await sendTo(kind, messageOf('event.started'))
      assert.equal(outcome, 'failed')
      for (const secret of Object.values(vendors[kind.kind].secrets(base)))
        assert.equal(text.includes(secret), false, `${kind.kind}: ${text}`)
    }
  })

  it('refuse settings that do not fit, and time zones that there are not', async () => {
    const slack = channelKinds.get('slack')
    assert.ok(slack?.faults !== undefined)
    assert.equal((await sendTo(slack, messageOf('event.started'), { language: 'tlh' })).outcome, 'refused')
    assert.deepEqual(receiver.received, [])
    const owner = { reach: 'any', userId: 'u1', email: '' } as const
    assert.deepEqual(
      [{ timeZone: 'Mars/Base' }, { timeZone: 'Asia/Shanghai' }, {}].map(
        (each) => slack.faults?.(each, owner, installation).length,
      ),
      [1, 0, 0],
    )
  })
})

describe('Alertmanager', () => {
  const kind = channelKinds.get('alertmanager')
  assert.ok(kind?.repeat !== undefined)
  const alertsOf = () => JSON.parse(receiver.received[receiver.received.length - 1].body)

  it('hears that it goes on until five minutes from now, and that it is over', async () => {
    await sendTo(kind, messageOf('event.started', { end: null }))
    assert.deepEqual(
      [alertsOf()[0].startsAt, alertsOf()[0].endsAt],
      [reportExample.start, new Date(Date.UTC(2026, 0, 2, 0, 5)).toISOString()],
    )
    await sendTo(kind, messageOf('event.ended'))
    assert.equal(alertsOf()[0].endsAt, reportExample.end)
  })

  it('hears all that goes on in one request', async () => {
    const messages = [1, 2].map((n) => messageOf('event.continues', { id: `${n}`.repeat(24) }))
    const result = await kind.repeat?.(messages, {
      ...{
        settings: { urls: [base] },
        secrets: {},
        installation,
        reach: 'any',
        allowed: listOf([]),
        resolve: ofSystem,
        userId: 'u1',
        email: '',
      },
      ...{ channelId: 'c1', nowMs: 0, signal: AbortSignal.timeout(patienceMs) },
    })
    assert.equal(result?.outcome, 'done')
    assert.deepEqual(
      alertsOf().map(({ labels }: { labels: { event: string } }) => labels.event),
      ['1'.repeat(24), '2'.repeat(24)],
    )
  })

  it('is told when one of a cluster is', async () => {
    const gone = 'http://127.0.0.1:1'
    const one = await sendTo(kind, messageOf('event.started'), { urls: [gone, base] })
    assert.deepEqual([one.outcome, one.text], ['done', 'HTTP 200 (1 of 2 have it)'])
    assert.equal((await sendTo(kind, messageOf('event.started'), { urls: [gone] })).outcome, 'failed')
  })
})
