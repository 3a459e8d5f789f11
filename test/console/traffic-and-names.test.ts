// The screens of traffic and of names in every state that they have: what a service of the test does not come to by itself is answered in its place.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { reportExample } from '../../src/contract/events/examples.ts'
import { nameReportEndpoints } from '../../src/contract/names/report.ts'
import { trafficEndpoints } from '../../src/contract/traffic.ts'
import { type RunningService, startService } from '../helpers/service.ts'
import { skip } from '../live/requirements.ts'
import { accessibilityOf, desktop, openBrowser, openPage, overflowOf, password, phone } from './lab.ts'

const traffic = trafficEndpoints.getTraffic.example.response

/** What is answered in place of the service, by the end of the path. */
type Answers = Readonly<Record<string, object | number>>

const looks = [
  { viewport: desktop, theme: 'light' },
  { viewport: phone, theme: 'dark' },
] as const

describe('traffic and names', { skip, timeout: 1_500_000 }, () => {
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

  const answer = async (page: Page, answers: Answers) => {
    for (const [path, body] of Object.entries(answers)) {
      await page.route(
        (url) => url.pathname === path,
        (route) =>
          typeof body === 'number'
            ? route.fulfill({ status: body, contentType: 'application/problem+json', json: problemOf(body) })
            : route.fulfill({ json: body }),
      )
    }
  }

  /** Shows the screen in two looks, in order in both, and leaves the first open for what is to be done there. */
  const show = async (path: string, answers: Answers, text: string | RegExp) => {
    const pages = []
    for (const look of looks) {
      const opened = await openPage(browser, service.url, { ...look, state })
      await answer(opened.page, answers)
      await opened.page.goto(service.url + path)
      await opened.page.getByText(text).first().waitFor()
      await opened.page.locator('main:not(:has([aria-busy]))').waitFor()
      const where = `${path} ${look.theme}`
      assert.deepEqual(await accessibilityOf(opened.page), [], where)
      assert.equal(await overflowOf(opened.page), 0, `${where} is too wide`)
      pages.push(opened)
    }
    const [first, second] = pages
    second.assertQuiet(/status of [45]/)
    await second.context.close()
    return first
  }

  test('traffic: nothing to show, a site that is not there, a service that fails', async () => {
    for (const [query, answers, text] of [
      ['', {}, 'No traffic to show'],
      ['?site=nothing.example', {}, 'Not found'],
      ['', { '/api/v1/traffic': 503 }, 'The service is not ready'],
    ] as const) {
      const { context, assertQuiet } = await show(`/traffic${query}`, answers, text)
      assertQuiet(/status of [45]/)
      await context.close()
    }
  })

  test('traffic: taken apart and compared, by keyboard, and every choice is in the address', async () => {
    const { page, context, assertQuiet } = await show(
      '/traffic',
      { '/api/v1/traffic': traffic },
      'Traffic to all sites',
    )
    await page.getByRole('radio', { name: 'Total' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('button', { name: 'Compare' }).press('Enter')
    await page.getByRole('radio', { name: 'Packets', exact: true }).click()
    await page.getByRole('radio', { name: 'As table' }).click()
    await page.getByRole('columnheader', { name: 'Previous period' }).waitFor()
    const search = new URL(page.url()).searchParams
    assert.deepEqual(Object.fromEntries(search), { by: 'site', previous: 'yes', metric: 'packets', as: 'table' })
    assert.deepEqual(await accessibilityOf(page), [])
    await page.getByRole('radio', { name: 'From – to' }).click()
    await page.getByLabel('From', { exact: true }).fill('2017-03-08T11:00')
    await page.getByLabel('To', { exact: true }).fill('2017-03-08T12:00')
    assert.deepEqual(await accessibilityOf(page), [])
    await page.getByRole('button', { name: 'Show' }).click()
    // As the clock in Berlin has it.
    await page.waitForURL((url) => url.searchParams.get('start') === '2017-03-08T10:00:00.000Z')
    await page.getByRole('button', { name: 'Earlier' }).click()
    await page.waitForURL((url) => url.searchParams.get('end') === '2017-03-08T10:08:00.000Z')
    const link = page.getByRole('link', { name: /NTP amplification/ })
    assert.equal(await link.getAttribute('href'), `/events/${traffic.attacks[0].id}`)
    assertQuiet()
    await context.close()
  })

  test('traffic: a peak is as high over weeks as over a day, and attacks that are too many to be listed are counted', async () => {
    const steps = (value: number) => ({
      bytesPerSecond: [0, value],
      packetsPerSecond: [0, value],
      flowsPerSecond: [0, value],
    })
    const peak = { bytesPerSecond: 5e8, packetsPerSecond: 5e5, flowsPerSecond: 5e3 }
    const attacks = Array.from({ length: 200 }, (_, n) => ({
      ...traffic.attacks[0],
      id: n.toString(16).padStart(24, '0'),
    }))
    const weeks = {
      ...traffic,
      from: '2017-03-08T09:30:00+00:00',
      stepSeconds: 1_200,
      total: { ...steps(2e7), min: steps(0), max: steps(2.5e8), peak },
      ...{ parts: null, previous: null, attacks, attackCount: 299, attacksByStep: [99, 200] },
    }
    const { page, context, assertQuiet } = await show(
      '/traffic',
      { '/api/v1/traffic': weeks },
      '299 attacks in this range',
    )
    await page.getByText('The latest 20 of 299.').waitFor()
    await page.getByText('Max (busiest minute of each step)').waitFor()
    const row = page.getByRole('row', { name: /Total/ })
    await row.getByRole('cell', { name: /^2\W?Gbps/ }).waitFor()
    await row.getByRole('cell', { name: /^4\W?Gbps/ }).waitFor()
    // The first step has no attack that is given by itself: a click on its mark leads to a closer look.
    const chart = page.getByRole('img', { name: /Traffic over time/ })
    const box = await chart.boundingBox()
    assert.ok(box !== null)
    await page.mouse.click(box.x + box.width * 0.2, box.y + box.height / 2)
    await page.waitForURL((url) => url.searchParams.get('start') === '2017-03-08T09:30:00.000Z')
    assertQuiet()
    await context.close()
  })

  test('names: where one led at a time; a text that is not a name; an unknown one', async () => {
    const { page, context, assertQuiet } = await show(
      '/names?q=192.0.2.10&at=2017-03-08T10:00:00Z',
      {
        '/api/v1/names/records/192.0.2.10': nameReportEndpoints.lookUpNames.example.response,
        '/api/v1/names/sources': nameReportEndpoints.getNameSources.example.response,
      },
      'edge.example.net',
    )
    await page.getByText('2017030801').waitFor()
    await page.getByRole('searchbox', { name: 'Name or IPv4 address' }).fill('not one')
    await page.keyboard.press('Enter')
    await page.getByText('neither a domain name nor an IPv4 address').waitFor()
    await page.getByRole('searchbox', { name: 'Name or IPv4 address' }).fill('www.unknown.example')
    await page.keyboard.press('Enter')
    await page.getByText('No records').waitFor()
    assert.deepEqual(await accessibilityOf(page), [])
    assertQuiet(/400/)
    await context.close()
  })

  test('names: what is to be done, and doing it', async () => {
    const findings = nameReportEndpoints.getNames.example.response
    const { page, context, assertQuiet } = await show('/names', { '/api/v1/names': findings }, 'does not resolve')
    await page.getByText('_floodgauge-host-challenge.www.example.com').waitFor()
    await answer(page, { '/api/v1/sites/www.example.com/verify': 429 })
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByRole('alert').waitFor()
    await answer(page, {
      '/open/site/add': { status: -1, success: [], error: [{ 'shop.example.org': 'the quota of sites is used up' }] },
    })
    await page.getByRole('button', { name: 'Add shop.example.org as a site' }).click()
    await page.getByText('the quota of sites is used up').waitFor()
    await page.unrouteAll()
    await answer(page, { '/api/v1/names': findings })
    await page.reload()
    await page.getByRole('button', { name: 'Add shop.example.org as a site' }).click()
    await page.getByText('Added', { exact: true }).waitFor()
    assert.deepEqual(await accessibilityOf(page), [])
    await page.goto(`${service.url}/sites`)
    await page.getByRole('link', { name: 'shop.example.org' }).waitFor()
    assertQuiet(/429/)
    await context.close()
  })

  test('names: all is well; nobody may see; the service fails', async () => {
    const none = { problems: [], suggestions: [], proofs: [], omitted: { problems: 0, suggestions: 0, proofs: 0 } }
    for (const [answers, text] of [
      [{ '/api/v1/names': none }, 'No problems with your names'],
      [{ '/api/v1/names/sources': 403 }, 'You do not have access'],
      [{ '/api/v1/names': 500 }, 'Something went wrong'],
    ] as const) {
      const { context, assertQuiet } = await show('/names', answers, text)
      assertQuiet(/status of [45]/)
      await context.close()
    }
  })

  test('an event says where its sources are, if there is a database', async () => {
    const path = `/api/v1/events/${reportExample.id}`
    const { page, context, assertQuiet } = await show(
      `/events/${reportExample.id}`,
      {
        [path]: reportExample,
        [`${path}/series`]: { id: reportExample.id, from: reportExample.start, stepSeconds: 1, ...noCourse },
        [`${path}/related`]: { events: [] },
      },
      'Source countries',
    )
    await page.getByText('Netherlands (NL)').waitFor()
    await page.getByText('NL · AS64496 Example Networks').waitFor()
    // It is named after the wildcard, and belongs to the page of the name, too.
    const also = page.getByRole('link', { name: 'www.example.com', exact: true })
    assert.equal(await also.getAttribute('href'), '/sites/www.example.com')
    const statistics = { ...reportExample.statistics, origins: null }
    await answer(page, { [path]: { ...reportExample, statistics } })
    await page.reload()
    await page.getByText('Source addresses').waitFor()
    assert.equal(await page.getByText('Source countries').count(), 0)
    assertQuiet()
    await context.close()
  })

  test('an event of which its owner is told the totals says why', async () => {
    const path = `/api/v1/events/${reportExample.id}`
    const { page, context, assertQuiet } = await show(
      `/events/${reportExample.id}`,
      {
        [path]: { ...reportExample, view: 'totals' },
        [`${path}/series`]: { id: reportExample.id, from: reportExample.start, stepSeconds: 1, ...noCourse },
        [`${path}/related`]: { events: [] },
      },
      'Sources and ports are not shown',
    )
    assert.equal(await page.getByText('Source addresses').count(), 0)
    assertQuiet()
    await context.close()
  })
})

const rates = { bytesPerSecond: [], packetsPerSecond: [], flowsPerSecond: [] }
const noCourse = { total: rates, attack: rates, normal: null }

function problemOf(status: number): object {
  return { title: 'Problem', status, detail: 'Something is wrong' }
}
