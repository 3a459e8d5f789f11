// The page of an event, shown recorded events: what it calls them, its chart, and what is on paper.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { reportExample } from '../../src/contract/events/examples.ts'
import { type RecordedEvent, readRecordedEvents } from '../helpers/recorded-events/recorded.ts'
import { type RunningService, startService } from '../helpers/service.ts'
import { skip } from '../live/requirements.ts'
import { accessibilityOf, comesTrue, openBrowser, openPage, overflowOf, password, phone } from './lab.ts'

const recorded = readRecordedEvents()
const plot = '.chart .u-over'
/** The moment under the cursor, as the legend has it. */
const cursorTime = '.legend time'

function recordedEvent(name: string): RecordedEvent {
  const found = recorded.find((each) => each.name === name)
  assert.ok(found, name)
  return found
}

describe('the page of an event', { skip, timeout: 1_500_000 }, () => {
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

  /** Answers with the event in place of the service; `asked` counts how often its course was. */
  const show = async (name: string, change: Partial<RecordedEvent['event']> = {}, options = {}) => {
    const { event: found, series } = recordedEvent(name)
    // What an event says since it was recorded is that of the example.
    const statistics = { ...reportExample.statistics, ...found.statistics }
    const event = { ...reportExample, ...found, statistics }
    const opened = await openPage(browser, service.url, { ...options, state })
    const { page } = opened
    const asked = { series: 0 }
    const shown = structuredClone(series)
    const path = `/api/v1/events/${event.id}`
    await page.route(
      (url) => url.pathname.startsWith(path),
      (route) => {
        const { pathname } = new URL(route.request().url())
        if (pathname === path) return route.fulfill({ json: { ...event, ...change } })
        if (pathname.endsWith('/related')) return route.fulfill({ json: { events: [] } })
        asked.series++
        for (const rates of [shown.total, shown.attack])
          for (const column of Object.values(rates))
            if (event.state === 'open') column.push(column[column.length - 1] ?? 0)
        return route.fulfill({ json: shown })
      },
    )
    await page.goto(`${service.url}/events/${event.id}`)
    await page.locator(plot).waitFor()
    return { ...opened, asked }
  }

  const drag = async (page: Page, from: number, to: number) => {
    const box = await page.locator(plot).boundingBox()
    assert.ok(box)
    const y = box.y + box.height / 2
    await page.mouse.move(box.x + from * box.width, y)
    await page.mouse.down()
    await page.mouse.move(box.x + to * box.width, y, { steps: 4 })
    await page.mouse.up()
  }

  /** What the legend says of the left edge. */
  const firstTime = async (page: Page) => {
    await page.locator(plot).hover({ position: { x: 60, y: 40 } })
    await page.locator(plot).hover({ position: { x: 1, y: 40 } })
    return page.locator(cursorTime).textContent()
  }

  test('names a carpet by its network, in the title, the story and the filter', async () => {
    for (const options of [{}, { viewport: phone }]) {
      const { page, context, assertQuiet } = await show(
        'carpet: UDP to 25 addresses, one of them hit less',
        {},
        options,
      )
      await page
        .getByRole('heading', { name: /Carpet bombing: UDP flood on 25 addresses of 192\.0\.2\.0\/24/ })
        .waitFor()
      await page.getByText('Source ports are random', { exact: false }).waitFor()
      await page.getByText('dst net 192.0.2.0/24 and udp', { exact: false }).waitFor()
      const cut = await page.evaluate(
        `[...document.querySelectorAll('.victims > li > a')].filter((link) => link.scrollWidth > link.clientWidth).length`,
      )
      assert.equal(cut, 0, 'an address is cut')
      assert.deepEqual(await accessibilityOf(page), [])
      assert.equal(await overflowOf(page), 0)
      assertQuiet()
      await context.close()
    }
  })

  test('says of one normal each: that of all traffic, and that of the kind', async () => {
    const { page, context, assertQuiet } = await show('SYN flood, small beside what is usual')
    await page.getByText('× normal (all traffic)').waitFor()
    await page.getByRole('columnheader', { name: 'Normal (this class)' }).waitFor()
    await page.locator('.legend').getByText('Normal (this class): up to', { exact: false }).waitFor()
    await page.locator('.legend').getByText('Threshold (this class): 150 pps').waitFor()
    assertQuiet()
    await context.close()
  })

  test('stays zoomed while new data comes, has it in its address, and Back undoes it', async () => {
    const { page, context, asked, assertQuiet } = await show('CLDAP amplification')
    const whole = await firstTime(page)
    await drag(page, 0.5, 0.75)
    await page.waitForURL((url) => url.searchParams.has('from') && url.searchParams.has('to'))
    const zoomed = await firstTime(page)
    assert.notEqual(zoomed, whole)
    const before = asked.series
    while (asked.series < before + 2) await page.waitForResponse((response) => response.url().endsWith('/series'))
    assert.equal(await firstTime(page), zoomed)
    await page.getByRole('radio', { name: 'Bits', exact: true }).click()
    assert.equal(await firstTime(page), zoomed)
    await page.reload()
    await page.locator(plot).waitFor()
    assert.equal(await firstTime(page), zoomed)
    await page.goBack()
    await page.waitForURL((url) => !url.searchParams.has('from'))
    assert.equal(await firstTime(page), whole)
    assertQuiet()
    await context.close()
  })

  test('has an axis whose labels are whole, with the unit once above it', async () => {
    const { page, context, assertQuiet } = await show('unknown kind: one transfer')
    await page.evaluate(`(() => {
      const draw = CanvasRenderingContext2D.prototype.fillText
      window.drawn = []
      CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        const width = this.measureText(text).width
        window.drawn.push({ text, left: this.textAlign === 'right' ? x - width : x })
        draw.call(this, text, x, y)
      }
    })()`)
    await page.getByRole('radio', { name: 'Bits', exact: true }).click()
    assert.ok(await comesTrue(page, `window.drawn.some(({ text }) => text === 'Mbps')`))
    const drawn: { text: string; left: number }[] = await page.evaluate('window.drawn')
    assert.deepEqual(
      drawn.filter(({ left }) => left < 0),
      [],
    )
    assert.ok(drawn.some(({ text }) => text === '400'))
    assert.deepEqual(
      drawn.filter(({ text }) => /\d.*bit|\d.*bps/.test(text)),
      [],
    )
    assertQuiet()
    await context.close()
  })

  test('has a rate now while the attack goes on, and none while it is quiet or later', async () => {
    for (const [name, change, count] of [
      ['CLDAP amplification', {}, 1],
      ['CLDAP amplification', { phase: 'quiet' }, 0],
      ['NTP amplification', {}, 0],
    ] as const) {
      const { page, context } = await show(name, change)
      assert.equal(await page.locator('.numbers dt', { hasText: /^Now$/ }).count(), count, name)
      await context.close()
    }
  })

  test('is whole on paper: the chart fits, and the note, the address and the time of printing are there', async () => {
    const at = '2027-01-15T08:10:00+00:00'
    const said = { by: 'ann@example.net', at }
    const note = { acknowledged: said, classification: 'attack' as const, text: 'Filtered upstream.', said }
    const { page, context, assertQuiet } = await show('SYN flood', { note })
    await page.evaluate(`(() => {
      const paper = matchMedia('print')
      paper.addEventListener('change', () => {
        if (!paper.matches) return
        const [holder] = document.querySelectorAll('.chart')
        window.onPaper = {
          room: holder.clientWidth,
          chart: holder.querySelector('canvas').clientWidth,
          text: document.querySelector('main').innerText,
        }
      })
    })()`)
    await page.pdf({ format: 'A4' })
    const onPaper: { room: number; chart: number; text: string } = await page.evaluate('window.onPaper')
    // 210 mm without the margins of 14 mm are 688 pixels: a wider page would be printed smaller.
    assert.ok(onPaper.room <= 688, `the page is ${onPaper.room} pixels wide`)
    assert.equal(onPaper.chart, onPaper.room)
    assert.match(onPaper.text, /Filtered upstream\./)
    assert.match(onPaper.text, /Acknowledgement: ann@example\.net/)
    assert.ok(onPaper.text.includes(page.url()))
    assert.match(onPaper.text, /Printed .*\d\d:\d\d:\d\d/)
    assertQuiet()
    await context.close()
  })
})
