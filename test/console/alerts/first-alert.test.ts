// From a fresh installation to an alert that was received, by the console alone: account, site, channel, test message, and a simulated attack whose
// beginning and end arrive. The rest is seen from the receiver's side, as a user's own program would see it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { WebhookReceiver } from '../../helpers/servers/webhook-receiver.ts'
import { type RunningService, startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'
import { skip } from '../../live/requirements.ts'
import { openBrowser, openPage, password } from '../lab.ts'

const site = '198.51.100.7'

describe('the first alert', { skip, timeout: 480_000 }, () => {
  const receiver = new WebhookReceiver()
  let service: RunningService
  let browser: Browser

  before(async () => {
    await receiver.start()
    service = await startService()
    browser = await openBrowser()
  })

  after(async () => {
    await browser?.close()
    await service?.stop()
    receiver.stop()
  })

  /** Type, site and whether it is a test, of each message so far. */
  const received = () =>
    receiver.received.map(({ body }) => {
      const { type, data } = JSON.parse(body)
      return [type, data.event.site, data.event.isTest]
    })

  test('arrives after a few clicks, and so does its end', async (t) => {
    const startedMs = performance.now()
    const { page, context, assertQuiet } = await openPage(browser, service.url)
    await page.goto(service.setupUrl)
    await page.getByLabel('E-mail').fill('ann@example.net')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByLabel('Sites').fill(site)
    await page.getByRole('button', { name: 'Add 1 site' }).click()
    await page.getByRole('button', { name: 'Done' }).click()

    await page.getByRole('button', { name: 'Add a channel' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Kind').selectOption('Webhook')
    await dialog.getByLabel('Name', { exact: true }).fill('Night shift')
    await dialog.getByLabel('Address').fill(receiver.url)
    await dialog.getByRole('button', { name: 'Add a channel' }).click()
    await dialog.getByRole('button', { name: 'Send a test message' }).click()
    await dialog.getByText('The receiver has it (HTTP 204)').waitFor()
    assert.deepEqual(
      received().map(([type]) => type),
      ['alert.test'],
    )
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Messages about attacks on your sites go to: Night shift').waitFor()
    const testedMs = performance.now()

    await page.getByLabel('Send alerts to my channels as well').check()
    await page.getByLabel('Duration').selectOption({ index: 0 })
    await page.getByRole('button', { name: 'Start simulation' }).click()
    await page.getByText('Detected after').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'Night shift' }).getByText('Delivered').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('link', { name: 'Open the event' }).click()
    const told = page.locator('section.card', { has: page.getByRole('heading', { name: 'Who was told' }) })
    const began = told.getByRole('listitem').filter({ hasText: 'Attack began Night shift' })
    await began.getByText('Delivered').waitFor()
    const begunMs = performance.now()
    await until('its end is told', async () => received().some(([type]) => type === 'event.ended'))
    // The page hears of it by itself.
    await told.getByRole('listitem').filter({ hasText: 'Attack ended Night shift' }).getByText('Delivered').waitFor()
    const endedMs = performance.now()
    const [, first, ...others] = received()
    assert.deepEqual(first, ['event.started', site, true])
    assert.deepEqual(others.at(-1), ['event.ended', site, true])

    await told.getByRole('link', { name: 'All messages' }).click()
    const row = page.getByRole('row', { name: /Attack ended/ })
    await row.getByRole('button', { name: /^Attempts/ }).click()
    await page.getByRole('dialog').getByText('The receiver has it (HTTP 204)').waitFor()
    assertQuiet(/401/)
    await context.close()
    const seconds = (ms: number) => `${((ms - startedMs) / 1000).toFixed(1)} s`
    t.diagnostic(
      `test message after ${seconds(testedMs)}, alert after ${seconds(begunMs)}, its end after ${seconds(endedMs)}`,
    )
  })
})
