// A service and a browser for the tests of the console. Whatever the browser complains of (errors, breaches of the page's policy, requests to other
// hosts) is kept, and fails the test that asks.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { patienceMs, pauseMs } from '../helpers/until.ts'
import { findProgram } from '../live/requirements.ts'

export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }
export const password = 'correct horse battery'
const settleMsMax = 5_000

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findProgram('chromium-headless-shell'), args: ['--no-sandbox'] })
}

export interface WatchedPage {
  page: Page
  context: BrowserContext
  /** Fails if the browser complained of anything but what matches. */
  assertQuiet(expected?: RegExp): void
}

export interface PageOptions {
  viewport?: { width: number; height: number }
  theme?: 'light' | 'dark'
  locale?: string
  /** Pixels of a picture for a pixel of the page. */
  scale?: number
  /** Signs in with what another page has. */
  state?: Awaited<ReturnType<BrowserContext['storageState']>>
}

export async function openPage(browser: Browser, base: string, options: PageOptions = {}): Promise<WatchedPage> {
  const { viewport = desktop, theme = 'light', locale = 'en-GB', scale = 1, state } = options
  const context = await browser.newContext({
    viewport,
    colorScheme: theme,
    locale,
    deviceScaleFactor: scale,
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    ...(state === undefined ? {} : { storageState: state }),
  })
  const complaints: string[] = []
  await context.addInitScript(`document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error('policy broken: ' + violatedDirective + ' ' + blockedURI))`)
  context.setDefaultTimeout(patienceMs)
  const page = await context.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    if (!request.url().startsWith(base)) complaints.push(`asked elsewhere: ${request.url()}`)
  })
  const assertQuiet = (expected?: RegExp) => {
    assert.deepEqual(
      complaints.filter((complaint) => expected?.test(complaint) !== true),
      [],
    )
    complaints.length = 0
  }
  return { page, context, assertQuiet }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const everyRule = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }
/** Those that ask for colours: another theme changes nothing else. */
const colourRules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** Rules of WCAG 2.2 AA that the page breaks, each with the elements; run from outside of the page's policy. */
export async function accessibilityOf(page: Page): Promise<string[]> {
  await scrollersSettle(page)
  await page.evaluate(axe)
  return broken(page, everyRule)
}

/** Colours that pass over into others are those of neither theme. */
const coloursSettle = `new Promise((next) => requestAnimationFrame(next)).then(() => Promise.allSettled(
  document.getAnimations().filter((each) => each instanceof CSSTransition).map(({ finished }) => finished)))`

/** The same in the theme that the page was loaded in, and of its colours in the dark. */
export async function accessibilityInBothThemes(page: Page): Promise<string[]> {
  const inLight = await accessibilityOf(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.evaluate(coloursSettle)
  // What is drawn again while axe reads it has a colour of either theme. What is at fault stays so.
  let inDark = await broken(page, colourRules)
  if (inDark.length > 0) inDark = await broken(page, colourRules)
  await page.emulateMedia({ colorScheme: 'light' })
  return [...inLight, ...inDark.map((each) => `in the dark: ${each}`)]
}

async function broken(page: Page, rules: typeof everyRule): Promise<string[]> {
  const found: unknown =
    await page.evaluate(`axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 4).map(({ target, any }) => target.join(' ') + ' (' + (any[0]?.message ?? '') + ')').join(', ')))`)
  return Array.isArray(found) ? found.map(String) : ['axe gave no list']
}

/**
 * Gives what scrolls by itself the time to hear of its size, some frames after it was drawn. One that never becomes focusable is left for the rules
 * to find.
 */
async function scrollersSettle(page: Page): Promise<void> {
  const isCut = `[...document.querySelectorAll('.table-scroll:not([tabindex])')]
    .some((each) => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight)`
  await comesTrue(page, `!${isCut}`, settleMsMax)
}

/** Waits until an expression is true on the page; false when it does not come true. Playwright's own way breaks the page's policy. */
export async function comesTrue(page: Page, expression: string, timeoutMs = patienceMs): Promise<boolean> {
  const beganMs = performance.now()
  for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs = performance.now() - beganMs) {
    if ((await page.evaluate(expression)) === true) return true
    await delay(pauseMs(waitedMs))
  }
  return false
}

/** By how many pixels the page is wider than the screen. */
export async function overflowOf(page: Page): Promise<number> {
  return Number(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'))
}

/** The texts of the page that are neither data nor names, as their elements say. */
export async function textsOf(page: Page): Promise<string[]> {
  const data = 'script, textarea, kbd, code, pre, time, .mono, .brand, .person, select, [lang=en]'
  const found: unknown = await page.evaluate(`(() => {
    const texts = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node.parentElement.closest(${JSON.stringify(data)}) === null) texts.push(node.textContent)
    }
    return texts
  })()`)
  return Array.isArray(found) ? found.map(String) : []
}
