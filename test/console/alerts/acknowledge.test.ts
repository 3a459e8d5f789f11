// The page behind the link of a message in a browser, without a script: what it is about, and the click that takes note of it.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createTestApi } from '../../helpers/api.ts'
import { addEvents, eventOf } from '../../helpers/events.ts'
import { skip } from '../../live/requirements.ts'
import { accessibilityOf, openBrowser, openPage, phone } from '../lab.ts'

const publicUrl = 'https://ddos.example.net'

test('whoever opens the link of a message takes note of the event by a click', {
  skip,
  timeout: 480_000,
}, async (t) => {
  const api = await createTestApi({ settings: { publicUrl } })
  t.after(() => api.close())
  const base = await api.server.listen({ host: '127.0.0.1', port: 0 })
  const { user } = await api.addCaller('ann@example.com')
  const event = eventOf(user.id, 1)
  await addEvents(api.store, [event])
  const id = randomBytes(8).toString('hex')
  const sealed = api.alerts.channels.seal(id, {})
  await api.store.addChannel(user.id, { id, kind: 'mail', name: 'Night shift', settings: {}, sealed, quiet: null }, 9)
  const link = String(api.alerts.links.urlFor({ eventId: event.id, channelId: id }, api.clock.now()))

  const browser = await openBrowser()
  t.after(() => browser.close())
  for (const [theme, locale, button, done] of [
    ['dark', 'zh-CN', '确认', '已确认'],
    ['light', 'en-GB', 'Acknowledge', 'Acknowledged'],
  ] as const) {
    const { page, context, assertQuiet } = await openPage(browser, base, { viewport: phone, theme, locale })
    await page.goto(base + link.slice(publicUrl.length))
    assert.deepEqual(await accessibilityOf(page), [])
    if (locale === 'zh-CN') await page.getByRole('button', { name: button }).press('Enter')
    await page.getByText(done, { exact: true }).waitFor()
    assert.deepEqual(await accessibilityOf(page), [])
    await page.getByText('ann@example.com').waitFor()
    assertQuiet()
    await context.close()
  }
  const note = (await api.store.notesOf(user.id, [event.id])).get(event.id)
  assert.equal(note?.acknowledged?.by, 'ann@example.com')
})
