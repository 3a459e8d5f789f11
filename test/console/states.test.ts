// Every screen while its data is on the way, when it may not be seen, is not there, or can't be had: each says so in words, in order, and none is blank.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { type RunningService, startService } from '../helpers/service.ts'
import { skip } from '../live/requirements.ts'
import { accessibilityOf, comesTrue, openBrowser, openPage, password } from './lab.ts'

/** Screens at a time: a failed request is tried again some seconds later. */
const together = 5

/** The path of each screen, and of what it asks for first. */
const screens: [path: string, data: string][] = [
  ['/', '/api/v1/overview'],
  ['/events', '/api/v1/events'],
  ['/events/58bfd7ae1f0a4b3c9d2e6f70', '/api/v1/events/58bfd7ae1f0a4b3c9d2e6f70'],
  ['/sites', '/api/v1/sites'],
  ['/sites/192.0.2.10', '/api/v1/sites/192.0.2.10'],
  ['/addresses?address=192.0.2.10', '/api/v1/targets/192.0.2.10'],
  ['/addresses?address=192.0.2.10&at=2017-03-08T10:09:30Z', '/api/v1/targets/192.0.2.10/explanation'],
  ['/addresses?address=192.0.2.10&sensitivity=high', '/api/v1/targets/192.0.2.10/what-if'],
  ['/traffic', '/api/v1/traffic'],
  ['/names', '/api/v1/names'],
  ['/attack-types', '/api/v1/vectors'],
  ['/sources', '/api/v1/exporters'],
  ['/sources/192.0.2.1', '/api/v1/exporters/192.0.2.1'],
  ['/alerts', '/api/v1/alerts/channels'],
  ['/alerts/rules', '/api/v1/alerts/rules'],
  ['/alerts/silences', '/api/v1/alerts/silences'],
  ['/alerts/deliveries', '/api/v1/alerts/deliveries'],
  ['/settings?section=sessions', '/api/v1/sessions'],
  ['/settings?section=tokens', '/api/v1/tokens'],
  ['/settings?section=groups', '/api/v1/groups'],
  ['/settings?section=users', '/api/v1/users'],
  ['/settings?section=audit', '/api/v1/audit'],
  ['/settings?section=about', '/api/v1/status'],
]

const problem = (status: number) => (route: Route) =>
  route.fulfill({
    status,
    contentType: 'application/problem+json',
    json: { title: 'No', status, detail: 'As the test wants it' },
  })

describe('every screen', { skip, timeout: 1_500_000 }, () => {
  let service: RunningService
  let browser: Browser
  let state: Awaited<ReturnType<BrowserContext['storageState']>>

  before(async () => {
    service = await startService()
    browser = await openBrowser()
    const { page, context } = await openPage(browser, service.url)
    await page.goto(service.setupUrl)
    await page.getByLabel('E-mail').fill('ann@example.net')
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByText('Waiting for the first packet').waitFor()
    state = await context.storageState()
    await context.close()
  })

  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  /** Each screen, some at a time, with this answer to what it asks for. */
  const onEach = async (answer: (route: Route) => Promise<void>, look: (page: Page) => Promise<string[]>) => {
    const faults: string[] = []
    const left = [...screens]
    const lookAtSome = async () => {
      const { page, context, assertQuiet } = await openPage(browser, service.url, { state })
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const [path, data] = next
        await page.route((url) => decodeURIComponent(url.pathname) === data, answer)
        // A busy machine draws the frame long before it asks.
        const asked = page.waitForRequest((request) => decodeURIComponent(new URL(request.url()).pathname) === data)
        await page.goto(service.url + path)
        await asked
        faults.push(...(await look(page)).map((fault) => `${path}: ${fault}`))
        assertQuiet(/status of [45]|ERR_FAILED/)
        await page.unrouteAll({ behavior: 'ignoreErrors' })
      }
      await context.close()
    }
    await Promise.all(Array.from({ length: together }, lookAtSome))
    assert.deepEqual(faults, [])
  }

  /** That the text is there, and the page in order. */
  const saying = async (page: Page, text: string): Promise<string[]> => {
    const said = page.locator('main').getByText(text).first()
    const isSaid = await said.waitFor().then(
      () => true,
      () => false,
    )
    return isSaid ? accessibilityOf(page) : [`it does not say “${text}”`]
  }

  test('says that its data is on the way, and then that it is not for this user', async () => {
    const pending = new Map<Page, Route[]>()
    let held = 0
    const hold = async (route: Route) => {
      const page = route.request().frame().page()
      pending.set(page, [...(pending.get(page) ?? []), route])
      held++
    }
    await onEach(hold, async (page) => {
      await page.locator('main [aria-busy=true], main .skeleton').first().waitFor()
      const faults = await accessibilityOf(page)
      // Tests ask for less motion: what repeats would flicker.
      assert.ok(await comesTrue(page, `document.getAnimations().every(({ playState }) => playState !== 'running')`))
      // What the screen before still asked for is over, and cannot be answered.
      for (const route of pending.get(page) ?? []) await problem(403)(route).catch(() => {})
      pending.delete(page)
      return [...faults, ...(await saying(page, 'You do not have access'))]
    })
    assert.ok(held >= screens.length)
  })

  test('says that its data is not to be had, and then, asked again, that the service is out of reach', async () => {
    const isAway = new Set<Page>()
    const answer = (route: Route) => (isAway.has(route.request().frame().page()) ? route.abort() : problem(500)(route))
    await onEach(answer, async (page) => {
      const faults = await saying(page, 'As the test wants it')
      isAway.add(page)
      await page.getByRole('button', { name: 'Try again' }).first().click()
      faults.push(...(await saying(page, 'Can’t reach the service')))
      isAway.delete(page)
      return faults
    })
  })
})
