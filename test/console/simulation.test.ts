// A simulated attack from the browser: the last step of the first minutes, and the page of a site. The event of it comes by itself, and says
// everywhere that it is a test.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { type RunningService, startService } from '../helpers/service.ts'
import { skip } from '../live/requirements.ts'
import { accessibilityOf, openBrowser, openPage, password, phone, type WatchedPage } from './lab.ts'

const site = '198.51.100.7'
const foundMs = 60_000

describe('a simulated attack', { skip, timeout: 1_500_000 }, () => {
  let service: RunningService
  let browser: Browser
  let first: WatchedPage

  before(async () => {
    service = await startService()
    browser = await openBrowser()
    first = await openPage(browser, service.url)
  })

  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  test('is the last of the first steps, and leads to its event with no reload', async () => {
    const { page, assertQuiet } = first
    await page.goto(service.setupUrl)
    await page.evaluate('window.isSame = true')
    await page.getByLabel('E-mail').fill('ann@example.net')
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Next' }).press('Enter')
    await page.getByLabel('Sites').fill(site)
    await page.getByRole('button', { name: 'Add 1 site' }).press('Enter')
    await page.getByRole('button', { name: 'Done' }).press('Enter')
    await page.getByRole('button', { name: 'Start simulation' }).press('Enter')
    const toEvent = page.getByRole('link', { name: 'Open the event' })
    await toEvent.waitFor({ timeout: foundMs })
    assert.deepEqual(await accessibilityOf(page), [])
    await toEvent.press('Enter')
    await page.getByRole('heading', { name: /NTP amplification.*Test, ongoing/ }).waitFor()
    await page.getByText('Simulated attack: no real traffic.').waitFor()
    assert.deepEqual(await accessibilityOf(page), [])
    assert.equal(await page.evaluate('window.isSame'), true)
    assertQuiet(/401/)
  })

  test('is marked in the lists, and counts nowhere', async () => {
    const { page, assertQuiet } = first
    await page.goto(service.url)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByRole('row', { name: /^[A-Z]\w+ NTP amplification.*Test/ }).waitFor()
    await page
      .getByRole('link', { name: /^NTP amplification.*\(Test\)$/ })
      .first()
      .waitFor()
    assert.equal(
      await page
        .getByRole('banner')
        .getByText(/\d attack/)
        .count(),
      0,
    )
    assert.deepEqual(await accessibilityOf(page), [])
    await page.goto(`${service.url}/events`)
    await page.getByRole('row', { name: /NTP amplification.*Test/ }).waitFor()
    await page.goto(`${service.url}/events?tab=attention`)
    await page.getByText('Nothing needs attention').waitFor()
    assertQuiet(/401/)
  })

  test('is sent and stopped on the page of a site, in the hand too', async () => {
    const state = await first.context.storageState()
    const { page, context, assertQuiet } = await openPage(browser, service.url, {
      state,
      viewport: phone,
      theme: 'dark',
    })
    await page.goto(`${service.url}/sites/${site}`)
    await page.getByRole('button', { name: 'Simulate an attack' }).click()
    const dialog = page.getByRole('dialog', { name: 'Simulate an attack' })
    const again = dialog.getByRole('button', { name: 'Send another' })
    const stop = dialog.getByRole('button', { name: 'Stop' })
    // The one of before is sent for half a minute.
    await again.or(stop).first().waitFor()
    if (await stop.isVisible()) await stop.click()
    await stop.waitFor({ state: 'detached' })
    await dialog.getByLabel('Attack type').selectOption('SYN flood')
    await dialog.getByLabel('Duration').selectOption({ index: 3 })
    await again.click()
    await stop.waitFor()
    await dialog.getByRole('link', { name: 'Open the event' }).waitFor({ timeout: foundMs })
    assert.deepEqual(await accessibilityOf(page), [])
    await stop.click()
    await stop.waitFor({ state: 'detached' })
    await dialog.getByRole('link', { name: 'Open the event' }).click()
    await page.getByRole('heading', { name: /SYN flood.*Test/ }).waitFor()
    assertQuiet()
    await context.close()
  })
})
