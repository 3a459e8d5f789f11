import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createTestApi, type TestApi, type TestCaller } from '../../../test/helpers/api.ts'
import { addEvents, eventOf } from '../../../test/helpers/events.ts'

let api: TestApi
let ann: TestCaller
let eventId: string

before(async () => {
  api = await createTestApi()
  ann = await api.addCaller('ann@example.com')
  const event = eventOf(ann.user.id, 1, { site: '{{title}}.example.net' })
  await addEvents(api.store, [event])
  eventId = event.id
})
after(() => api.close())

async function ask(payload: object, caller = ann) {
  const url = '/api/v1/alerts/preview/message'
  const answer = await api.server.inject({ method: 'POST', url, headers: caller.headers, payload })
  return { status: answer.statusCode, body: answer.json() }
}

describe('what a message would say', () => {
  it('is said of an event of the caller, by templates and language', async () => {
    const textTemplate = 'on {{event.site}}: {{severity}}'
    const { status, body } = await ask({ eventId, textTemplate, language: 'zh' })
    assert.equal(status, 200)
    assert.match(body.text, /^on \{\{title\}\}\.example\.net: [低中高严]/)
    const bob = await api.addCaller('bob@example.com')
    assert.equal((await ask({ eventId }, bob)).status, 404)
  })

  it('is said of a made-up attack, and without templates as messages are', async () => {
    const { body } = await ask({ notice: 'ended' })
    assert.match(body.title, /^\[OVER\] NTP amplification/)
    assert.match(body.text, /^Severity: High\nAttack: NTP amplification\n/)
  })

  it('is refused where a template has a place that there is not, by name', async () => {
    for (const [given, pointer, text] of [
      [{ textTemplate: '{{event.sight}}' }, '/textTemplate', /no place \{\{event\.sight\}\}; there are: .*event\.site/],
      [{ titleTemplate: '{{event.start|bits}}' }, '/titleTemplate', /event\.start can be written as: iso/],
      [{ timeZone: 'Mars/Base' }, '/timeZone', /no such time zone/],
    ] as const) {
      const { status, body } = await ask(given)
      assert.deepEqual([status, body.errors[0].pointer], [400, pointer])
      assert.match(body.errors[0].detail, text)
    }
    assert.equal((await ask({ titleTemplate: 'a\nb' })).status, 400)
    assert.equal((await ask({ textTemplate: 'x'.repeat(2_501) })).status, 400)
  })

  it('is refused in a channel likewise', async () => {
    const settings = { textTemplate: 'a {{event.sight}} b {{event.place}}' }
    const payload = { name: 'chat', kind: 'slack', settings, secrets: { url: 'https://hooks.example.com/' } }
    const request = { method: 'POST', url: '/api/v1/alerts/channels', headers: ann.headers, payload } as const
    const answer = await api.server.inject(request)
    assert.equal(answer.statusCode, 400)
    assert.deepEqual(
      answer.json().errors.map(({ pointer, detail }: Record<string, string>) => `${pointer} ${detail.slice(0, 34)}`),
      [
        '/settings/textTemplate There is no place {{event.sight}};',
        '/settings/textTemplate There is no place {{event.place}};',
      ],
    )
    const kinds = await api.server.inject({ url: '/api/v1/alerts/kinds', headers: ann.headers })
    assert.ok(
      kinds
        .json()
        .places.some(
          ({ name, forms }: { name: string; forms: string[] }) =>
            name === 'event.peak.bitsPerSecond' && forms.includes('bits'),
        ),
    )
  })
})
