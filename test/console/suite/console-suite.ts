// What a suite over made-up answers begins with: the console with answers that each test may change, and a browser.
import { after, before, beforeEach } from 'node:test'
import type { Browser } from 'playwright-core'
import { type Answers, type Asked, type CannedConsole, openCanned } from '../canned.ts'
import { openBrowser, openPage, type PageOptions, type WatchedPage } from '../lab.ts'
import { nowMs, sceneAnswers } from '../scene.ts'

export interface ConsoleSuite {
  canned: Omit<CannedConsole, 'close'>
  /** The page of this path, when it has loaded; `script` runs before its own. */
  open(path: string, options?: PageOptions & { script?: string }): Promise<WatchedPage>
  /** What was asked of this endpoint in the test. */
  asked(name: string): Asked[]
}

/** Within `describe`. Every test begins with the answers of the scene, changed by these. */
export function consoleSuite(given: Answers = {}): ConsoleSuite {
  let canned: CannedConsole
  let browser: Browser
  before(async () => {
    canned = await openCanned(sceneAnswers)
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await canned?.close()
  })
  beforeEach(() => {
    canned.asked.length = 0
    canned.answer({ ...sceneAnswers, ...given })
  })
  return {
    canned: {
      get url() {
        return canned.url
      },
      get asked() {
        return canned.asked
      },
      say: (type, data) => canned.say(type, data),
      answer: (changed) => canned.answer(changed),
    },
    async open(path, { script = '', ...options } = {}) {
      const opened = await openPage(browser, canned.url, options)
      await opened.context.addInitScript(script)
      await opened.page.clock.setFixedTime(nowMs)
      await opened.page.goto(canned.url + path)
      await opened.page.locator('main:not(:has([aria-busy])) h1').first().waitFor()
      return opened
    },
    asked: (name) => canned.asked.filter((each) => each.name === name),
  }
}
