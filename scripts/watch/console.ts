// The console as a way to read events: their pages in a browser, with the exact numbers that stand behind those that are shown. An event's page stays
// open from one look to the next where it can, so that a page that no longer follows the service is found.
import { chromium } from 'playwright-core'
import type { EventReport } from '../../client/index.ts'
import type { Elsewhere } from './looks.ts'
import { at } from './rule.ts'

/** A page shows a change so long after it, at the latest. */
const shownMs = 5_000
const loadedMs = 20_000
const lookEveryMs = 100

export interface Console {
  read: (report: EventReport) => Promise<Elsewhere[]>
  close: () => Promise<void>
}

interface ConsoleOptions {
  base: string
  /** They say who reads. */
  headers: Record<string, string>
  /** The file of Chromium. */
  browserFile: string
}

export async function openConsole({ base, headers, browserFile }: ConsoleOptions): Promise<Console> {
  const browser = await chromium.launch({ executablePath: browserFile, args: ['--no-sandbox'] })
  const context = await browser.newContext({ extraHTTPHeaders: headers, reducedMotion: 'reduce' })
  const page = await context.newPage()
  const shown = async (): Promise<Record<string, number>> => {
    const elements: [path: string, value: number][] = await page.evaluate(
      `[...document.querySelectorAll('data[data-path]')].map((each) => [each.dataset.path, Number(each.value)])`,
    )
    return Object.fromEntries(elements)
  }
  const read = async (report: EventReport): Promise<Elsewhere[]> => {
    const url = `${base}/events/${report.id}`
    if (page.url() !== url) await page.goto(url)
    await page.locator('data[data-path]').first().waitFor({ timeout: loadedMs })
    const endMs = Date.now() + shownMs
    for (;;) {
      const numbers = await shown()
      const isShown = Object.entries(numbers).every(([path, number]) => at(report, path) === number)
      if (isShown || Date.now() > endMs) return [{ way: 'the console', numbers }]
      await page.waitForTimeout(lookEveryMs)
    }
  }
  return { read, close: () => browser.close() }
}
