// The overview in the states that decide at night: under attack, with nothing to watch, and when the service is no longer heard.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { silentMs } from '../../web/shared/api/watchdog.ts'
import { type RunningService, startService } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'
import { skip } from '../live/requirements.ts'
import { accessibilityOf, openBrowser, openPage, type PageOptions, password, phone } from './lab.ts'
import { type Overview, openEvent, overviewOf, spanOf } from './overview-data.ts'

/** A moment of today, or of a day that has just ended. */
const moment = String.raw`(\d\d:\d\d:\d\d|\d+ \w+, \d\d:\d\d)`
const small = { width: 1280, height: 720 }
const ended = { state: 'ended', end: '2017-03-08T10:00:00+00:00' }

describe('the overview', { skip, timeout: 1_500_000 }, () => {
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

  /** A page on which the service answers this about how things stand; `asked` counts how often. */
  const open = async (answer: () => Overview, options: PageOptions = {}) => {
    const opened = await openPage(browser, service.url, { state, viewport: small, ...options })
    const asked = { overview: 0 }
    await opened.page.route(
      ({ pathname }) => pathname === '/api/v1/overview',
      (route) => {
        asked.overview++
        return route.fulfill({ json: answer() })
      },
    )
    await opened.page.route(
      ({ pathname }) => pathname === '/api/v1/events',
      (route) => {
        const events = answer().open.map(({ current: _, ...event }, n) => ({
          ...event,
          ...ended,
          id: openEvent(500 + n, 0).id,
        }))
        return route.fulfill({ json: { events } })
      },
    )
    await opened.page.goto(service.url)
    await opened.page.getByRole('heading', { name: 'Overview' }).waitFor()
    return { ...opened, asked }
  }

  const iconOf = (page: Page) => page.evaluate("document.querySelector('link[rel=icon]').href")

  test('has the attacks that go on at its top, worst first, and shows at once that somebody took note', async () => {
    const now = Date.now()
    const attacks = [0, 1, 2, 3].map((n) => openEvent(n, now, n === 3 ? { phase: 'quiet' } : {}))
    const last = openEvent(40, now, { ...{ state: 'ended' }, end: new Date(now).toISOString(), site: 'over.example' })
    const { page, context, assertQuiet } = await open(() => overviewOf(now, { open: attacks, lastEvent: last }))
    const rows = page.locator('.open-attacks tbody tr')
    await rows.last().waitFor()
    assert.deepEqual(await page.locator('.open-attacks tbody .where b').allTextContents(), [
      'shop.example.net',
      'www.example.net',
      'play.example.org',
      'api.example.net',
    ])
    assert.match((await rows.first().textContent()) ?? '', /NTP amplification.*4\sGbps.*×211.*3 min.*Acknowledge/)
    const quiet = (await rows.last().textContent()) ?? ''
    assert.match(quiet, /Quiet for now/)
    assert.doesNotMatch(quiet, /bps/)
    const { y, height } = (await rows.last().boundingBox()) ?? { y: Number.NaN, height: 0 }
    assert.ok(y + height < small.height, 'below the fold')
    // Nothing is said of the attack that is over.
    assert.equal(await page.getByText('over.example').count(), 0)
    assert.deepEqual(await accessibilityOf(page), [])

    assert.equal(await page.title(), '(4) Overview - Floodgauge')
    assert.match(String(await iconOf(page)), /icon-attack/)
    await page.getByRole('banner').getByRole('link', { name: '4 attacks', exact: true }).waitFor()

    const said: unknown[] = []
    await page.route(
      ({ pathname }) => pathname.startsWith(`/api/v1/events/${attacks[0].id}`),
      (route) => {
        said.push(route.request().method(), route.request().postDataJSON())
        attacks[0] = { ...attacks[0], acknowledged: { by: 'ann@example.net', at: new Date().toISOString() } }
        return route.fulfill({
          json: { acknowledged: attacks[0].acknowledged, classification: null, text: '', said: null },
        })
      },
    )
    await rows.first().getByRole('button', { name: 'Acknowledge' }).click()
    await page.getByRole('banner').getByRole('link', { name: '4 attacks, 1 acknowledged' }).waitFor()
    assert.match((await rows.first().textContent()) ?? '', /Ongoing.*Acknowledged by ann@example\.net/)
    assert.deepEqual(said, ['PATCH', { acknowledged: true }])
    assertQuiet()
    await context.close()
  })

  test('says in the title of the tab and by its icon that it is over', async () => {
    const now = Date.now()
    const { page, context, assertQuiet } = await open(() => overviewOf(now, { lastEvent: null }))
    await page.getByText('No attacks now, and none so far.').waitFor()
    assert.equal(await page.title(), 'Overview - Floodgauge')
    assert.doesNotMatch(String(await iconOf(page)), /attack/)
    await page.getByRole('link', { name: 'Sites' }).first().click()
    await until('the title', async () => (await page.title()) === 'Sites - Floodgauge')
    assertQuiet()
    await context.close()
  })

  test('calls nothing calm that is not watched', async () => {
    const { page, context, assertQuiet } = await openPage(browser, service.url, { state, viewport: small })
    await page.goto(service.url)
    await page.getByRole('heading', { name: 'No sites yet' }).waitFor()
    await page.getByRole('banner').getByRole('link', { name: 'Nothing watched' }).waitFor()
    await page.getByRole('link', { name: 'Add a site' }).waitFor()
    assert.equal(await page.getByText('No attacks').count(), 0)
    assert.equal(await page.locator('.chart').count(), 0)
    assert.deepEqual(await accessibilityOf(page), [])
    assertQuiet()
    await context.close()
  })

  test('says of when it is once the service is not heard, however open the connection looks, and is renewed after', async (t) => {
    const openedMs = Date.now()
    const { page, context, asked } = await open(() => overviewOf(openedMs, { open: [openEvent(0, openedMs)] }))
    await page.getByText('Live', { exact: true }).waitFor()
    await page.clock.install()
    // Connections are taken, and nothing is answered, neither by the service nor by this test in its place.
    service.process.kill('SIGSTOP')
    t.after(() => service.process.kill('SIGCONT'))
    await page.route('**/api/**', () => {})
    // The service was last heard between these two times; the page's clock stands still, however long the test takes.
    const stoppedMs = Date.now()
    await page.clock.pauseAt(openedMs + silentMs - 1_000)
    await page.getByText('Live', { exact: true }).waitFor()
    await page.clock.pauseAt(stoppedMs + silentMs + 2_000)
    const banner = page.getByRole('alert').filter({ hasText: 'No connection to the service since' })
    await banner.waitFor()
    await page.clock.resume()
    assert.match((await banner.textContent()) ?? '', new RegExp(`since ${moment}\\.`))
    assert.match((await page.getByRole('banner').textContent()) ?? '', new RegExp(`1 attack.*As of ${moment}$`))
    assert.match((await page.locator('main').getAttribute('class')) ?? '', /old/)
    assert.deepEqual(await accessibilityOf(page), [])
    await page.clock.fastForward(60_000)
    await page.getByText(/^Last data 1 min ago/).waitFor()

    const before = asked.overview
    service.process.kill('SIGCONT')
    await page.unroute('**/api/**')
    await page.clock.fastForward(34_000)
    await page.getByText('Live', { exact: true }).waitFor()
    await banner.waitFor({ state: 'detached' })
    assert.ok(asked.overview > before, 'nothing was asked for again')
    assert.doesNotMatch((await page.locator('main').getAttribute('class')) ?? '', /old/)
    await context.close()
  })

  test('has lanes with marks that can be clicked, within their lane, and one stop of the Tab key', async () => {
    const now = Date.now()
    const attacks = [
      spanOf(1, now, 23.99, 1),
      ...[3, 2.97, 2.94, 2.9].map((hours) => spanOf(1, now, hours, 1)),
      spanOf(0, now, 12, 90),
      spanOf(0, now, 0.1, 5),
      { ...spanOf(2, now, 2.95, 1), classification: 'false_positive' as const },
    ].map((span, n) => ({ ...span, id: openEvent(100 + n, now).id }))
    const { page, context, assertQuiet } = await open(() => overviewOf(now, { attacks }))
    // What a mark leads to is fetched while the mark has the focus, and these attacks were made up.
    await page.route(/\/api\/v1\/events\/./, (route) => route.fulfill({ json: {} }))
    const grid = page.getByRole('grid', { name: 'Attacks of the last 24 hours' })
    const merged = grid.getByRole('link', { name: /^4 attacks, \d\d:\d\d:\d\d to .* \(High\)$/ })
    await merged.waitFor()
    const boxes = await Promise.all((await grid.locator('.strip a').all()).map((mark) => mark.boundingBox()))
    const strip = (await grid.locator('.strip').first().boundingBox()) ?? { x: 0, width: 0 }
    assert.equal(boxes.length, 5)
    for (const box of boxes) {
      assert.ok(box !== null && box.width >= 24 && box.height >= 24)
      assert.ok(box.x >= strip.x - 0.5 && box.x + box.width <= strip.x + strip.width + 0.5)
    }
    assert.deepEqual(await accessibilityOf(page), [])

    // What somebody said to be no attack is not drawn like one.
    await grid.getByRole('link', { name: /\(False alarm\)$/ }).waitFor()
    const colorOf = (look: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('.strip .${look} > i')).backgroundColor`)
    assert.notEqual(await colorOf('dismissed'), await colorOf('high'))

    assert.equal(await grid.locator('[tabindex="0"]').count(), 1)
    await grid.getByRole('link', { name: 'www.example.net' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    assert.match((await page.locator(':focus').getAttribute('aria-label')) ?? '', /^4 attacks/)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Home')
    assert.equal(await page.locator(':focus').textContent(), 'play.example.org')
    assert.equal(await grid.locator('[tabindex="0"]').count(), 1)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('End')
    await merged.click()
    await page.waitForURL(/\/events\?site=www\.example\.net&last=2/)
    assertQuiet()
    await context.close()
  })

  test('is read in the hand without a number cut or a state off the screen', async () => {
    const now = Date.now()
    const attacks = [0, 1].map((n) => openEvent(n, now))
    const { page, context, assertQuiet } = await open(() => overviewOf(now, { open: attacks }), { viewport: phone })
    const rows = page.locator('.event-rows tbody tr')
    await rows.last().waitFor()
    for (const cell of await page.locator('tbody td:is(.rate, .standing, .owner)').all()) {
      const box = await cell.boundingBox()
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= phone.width, (await cell.textContent()) ?? '')
    }
    assert.deepEqual(await accessibilityOf(page), [])
    assertQuiet()
    await context.close()
  })
})
