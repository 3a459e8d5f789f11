// Every screen of a real service that has seen an attack, in both themes, on a desk and in the hand, without a complaint of the browser or of axe.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext } from 'playwright-core'
import { makeFirstUser } from '../../helpers/first-user.ts'
import { attackUntil, flowSender } from '../../helpers/flows.ts'
import { type RunningService, startService } from '../../helpers/service.ts'
import { skip } from '../../live/requirements.ts'
import { accessibilityInBothThemes, desktop, openBrowser, openPage, overflowOf, password, phone } from '../lab.ts'

const victim = '198.51.100.7'

const screens = (eventPath: string) => [
  '/',
  '/events',
  eventPath,
  '/sites',
  `/sites/${victim}`,
  `/addresses?address=${victim}`,
  `/addresses?address=${victim}&at=${new Date().toISOString()}&sensitivity=high&last=31d`,
  '/addresses',
  '/traffic',
  '/names',
  '/attack-types',
  '/sources',
  '/sources/add',
  '/sources/127.0.0.1',
  '/alerts',
  '/alerts?add=channel',
  '/alerts/rules',
  '/alerts/silences',
  '/alerts/deliveries?state=dead',
  '/settings',
  '/settings?section=sessions',
  '/settings?section=tokens',
  '/settings?section=groups',
  '/settings?section=users',
  '/settings?section=about',
  '/events?tab=active&site=nothing.example',
]

describe('every screen', { skip, timeout: 1_500_000 }, () => {
  let service: RunningService
  let browser: Browser
  let state: Awaited<ReturnType<BrowserContext['storageState']>>
  let eventPath: string

  before(async () => {
    // Fifty screens in a quarter of a minute are more than a person asks for.
    const env = { FLOODGAUGE_HTTP_RATE_PER_MINUTE: '0' }
    service = await startService(undefined, { env })
    browser = await openBrowser()
    const { client, email } = await makeFirstUser(service)
    await client.addSites([victim])
    const sender = await flowSender(service.flowAddresses[0])
    const found = async () => (await client.call('findEvents')).events
    await attackUntil(sender, victim, async () => (await found()).length > 0)
    await sender.close()
    eventPath = `/events/${(await found())[0].id}`
    const { page, context } = await openPage(browser, service.url)
    await page.goto(`${service.url}/sign-in`)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.locator('.shell').waitFor()
    state = await context.storageState()
    await context.close()
  })

  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  for (const [name, viewport] of Object.entries({ 'on a desk': desktop, 'in the hand': phone })) {
    test(`is in order ${name}, light and dark`, async () => {
      const { page, context, assertQuiet } = await openPage(browser, service.url, { viewport, state })
      for (const path of screens(eventPath)) {
        await page.goto(service.url + path)
        await page.locator('main h1').first().waitFor()
        await page.locator('main:not(:has([aria-busy]))').waitFor()
        assert.deepEqual(await accessibilityInBothThemes(page), [], path)
        assert.equal(await overflowOf(page), 0, `${path} is too wide`)
        assertQuiet()
      }
      await context.close()
    })
  }
})
