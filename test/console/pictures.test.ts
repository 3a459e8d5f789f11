// Every screen, the first steps among them, looks as it did when somebody last looked at it: light and dark on a desk, and light in the hand, over
// made-up answers at a fixed time, in Debian's fonts. `UPDATE_PICTURES=1` writes the pictures of what looks otherwise now, to be looked at; `PICTURES=setup` takes
// those alone that have it in their name.
// Style sheets of other screens change nothing: how a page looks does not depend on where one came from.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { everyScreen, looks, type Picture as Wanted } from '../../scripts/screenshots/pictures.ts'
import { skip } from '../live/requirements.ts'
import { type CannedConsole, dist, openCanned } from './canned.ts'
import { comesTrue, openBrowser, openPage, phone } from './lab.ts'
import { differenceFile, differing, indexedFile, type Picture, readPicture, reduced } from './picture-files.ts'
import { events, nowMs, sceneAnswers } from './scene.ts'

const folder = fileURLToPath(new URL('pictures/', import.meta.url))
const only = process.env.PICTURES ?? ''
const isUpdate = process.env.UPDATE_PICTURES === '1'
/** Pixels that may differ: fewer than a word has. */
const pixelsMax = 30
/** What has come by then is on the screen. */
const settleMs = 120
const triesMax = 4
/** Half as wide and high as the screen: enough to see what has changed, and small. */
const scale = 0.5
/** The first is what text is in; the second has what it lacks, such as `≈`, which browsers would take from whatever font a machine has. */
const fonts = { '--font': ['Noto Sans', 'DejaVu Sans'], '--mono': ['DejaVu Sans Mono'] }

const sheets = readdirSync(join(dist, 'assets')).filter((name) => name.endsWith('.css'))

/** Screens that take a few steps to come to. */
const acts: { name: string; path: string; act: (page: Page) => Promise<void> }[] = [
  {
    name: 'setup-added',
    path: '/setup?step=site',
    act: async (page) => {
      await page.getByLabel('Sites').fill('www.example.com 10.0.0.0/8')
      await page.getByRole('button', { name: 'Add 2 sites' }).click()
      await page.getByText('4 added, 1 refused').waitFor()
    },
  },
  {
    name: 'setup-nothing',
    path: '/setup',
    act: async (page) => {
      await page.getByLabel('Code').fill('abc')
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByText('Too short').waitFor()
    },
  },
  {
    name: 'palette',
    path: '/settings',
    act: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search or go to' }).fill('shop')
      await page.getByRole('option', { name: /shop/ }).first().waitFor()
    },
  },
  {
    name: 'alerts-add',
    path: '/alerts?add=channel',
    act: async (page) => {
      await page.getByRole('dialog').getByLabel('Kind').selectOption('webhook')
      await page.getByLabel('Address').fill('ftp://hooks.example.com')
      await page.getByLabel('Name').fill('Night shift')
      await page.getByRole('button', { name: 'Add a channel' }).last().click()
      await page.getByText('An address begins with').waitFor()
    },
  },
  {
    name: 'simulate',
    path: '/sites/shop.example.net',
    act: async (page) => {
      await page.getByRole('button', { name: 'Simulate an attack' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
]

describe('the pictures', { skip, timeout: 1_500_000 }, () => {
  let canned: CannedConsole
  let browser: Browser
  let differences: string

  before(async () => {
    canned = await openCanned(sceneAnswers)
    browser = await openBrowser()
    differences = mkdtempSync(join(tmpdir(), 'floodgauge-pictures-'))
    mkdirSync(folder, { recursive: true })
  })

  after(async () => {
    await browser?.close()
    await canned?.close()
    if (readdirSync(differences).length === 0) rmSync(differences, { recursive: true })
  })

  const openFixed = async (theme: 'light' | 'dark', viewport: Wanted['viewport']) => {
    const opened = await openPage(browser, canned.url, { theme, viewport, scale })
    await opened.context.addInitScript(`
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(':root:root { ${Object.entries(fonts)
        .map(([name, families]) => `${name}: ${families.map((family) => `"${family}"`).join(', ')} !important;`)
        .join(' ')} }')
      document.adoptedStyleSheets = [sheet]`)
    await opened.page.clock.setFixedTime(nowMs)
    return opened
  }

  const show = async (page: Page, path: string) => {
    await page.goto(canned.url + path.replace('{event}', `/events/${events[0].id}`))
    await page.locator('h1, h2').first().waitFor()
    assert.ok(await comesTrue(page, `document.querySelector('[aria-busy], .skeleton') === null`), path)
    await page.evaluate('document.fonts.ready')
  }

  const taken = async (page: Page): Promise<Buffer> => {
    await delay(settleMs)
    return page.screenshot({ fullPage: true, animations: 'disabled', caret: 'hide' })
  }

  /** What there is to say against the page as it is shown; undefined: nothing. */
  const check = async (page: Page, name: string): Promise<string | undefined> => {
    const path = join(folder, name)
    const reference = existsSync(path) ? readPicture(readFileSync(path)) : null
    let before: Picture | null = null
    for (let tries = 1; ; tries++) {
      const file = await taken(page)
      const shown = readPicture(file)
      // To reduce a picture takes long, and where it is as it was its few colours change nothing.
      if (reference !== null && differing(reference, shown) <= pixelsMax) return undefined
      const picture = reduced(shown)
      const pixels = reference === null ? null : differing(reference, picture)
      if (pixels !== null && pixels <= pixelsMax) return undefined
      // Something may have come late.
      const isStill = before !== null && differing(before, picture) === 0
      before = picture
      if (!isStill && tries < triesMax) continue
      if (isUpdate) {
        writeFileSync(path, indexedFile(picture))
        return undefined
      }
      writeFileSync(join(differences, name), file)
      if (reference === null) return `${name}: there is no picture of it`
      if (pixels === Number.POSITIVE_INFINITY) return `${name}: its size is not what it was`
      writeFileSync(join(differences, name.replace('.png', '.difference.png')), differenceFile(reference, picture))
      return `${name}: ${pixels} pixels differ`
    }
  }

  /** Classes on the page that some style sheet has, but none of those that it has loaded. */
  const unstyled = async (page: Page, name: string): Promise<string[]> => {
    const found: unknown = await page.evaluate(`(() => {
      const loaded = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).map((rule) => rule.cssText).join(' ')
      const used = new Set([...document.querySelectorAll('[class]')].flatMap((element) => [...element.classList]))
      return [...used].filter((name) => !new RegExp('\\\\.' + CSS.escape(name) + '(?![\\\\w-])').test(loaded))
    })()`)
    const all = sheets.map((sheet) => readFileSync(join(dist, 'assets', sheet), 'utf8')).join(' ')
    const has = (each: string) => new RegExp(`\\.${each}(?![\\w-])`).test(all)
    return (Array.isArray(found) ? found.map(String) : []).filter(has).map((each) => `${name}: .${each} has no style`)
  }

  /** Loads the style sheets of every other screen, the last first. */
  const loadAllSheets = (page: Page) =>
    page.evaluate(`Promise.all(${JSON.stringify(sheets.toReversed())}.map((name) => new Promise((resolve) => {
      const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/assets/' + name, onload: resolve })
      document.head.append(link)
    })))`)

  const whileOpen = async (
    theme: 'light' | 'dark',
    viewport: Wanted['viewport'],
    use: (page: Page, context: BrowserContext) => Promise<void>,
  ) => {
    const { page, context, assertQuiet } = await openFixed(theme, viewport)
    await use(page, context)
    assertQuiet(/status of 404/)
    await context.close()
  }

  const wanted = everyScreen()
  const groups = Map.groupBy(
    wanted.filter(({ file }) => file.includes(only)),
    ({ theme, viewport }) => `${theme} ${viewport.width}`,
  )

  test('are in the font that they are compared in', async () => {
    await whileOpen('light', phone, async (page, context) => {
      await show(page, '/settings')
      const session = await context.newCDPSession(page)
      await session.send('DOM.enable')
      await session.send('CSS.enable')
      const { root } = await session.send('DOM.getDocument')
      const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' })
      const { fonts: used } = await session.send('CSS.getPlatformFontsForNode', { nodeId })
      assert.deepEqual(
        used.map(({ familyName }) => familyName),
        fonts['--font'].slice(0, 1),
        'the Debian package fonts-noto-core is not installed',
      )
    })
  })

  test('show every screen as it was, also when the style of every other screen is there', async () => {
    const faults: string[] = []
    const lightDesk = [...groups.values()].find(
      ([{ theme, viewport }]) => theme === 'light' && viewport.width > phone.width,
    )
    await Promise.all(
      [...groups.values()].map((group) =>
        whileOpen(group[0].theme, group[0].viewport, async (page) => {
          for (const { file, path } of group) {
            await show(page, path)
            faults.push(...(await unstyled(page, file)))
            // In the dark it is shown without them.
            const isMixed = group === lightDesk && !isUpdate
            if (isMixed) await loadAllSheets(page)
            const fault = await check(page, file)
            if (fault !== undefined) faults.push(isMixed ? `with the styles of all screens: ${fault}` : fault)
          }
          for (const { name, path, act } of acts.filter((each) => each.name.includes(only))) {
            const file = `${name}-${group[0].file.split('-').slice(-2).join('-')}`
            await show(page, path)
            await act(page)
            const fault = await check(page, file)
            if (fault !== undefined) faults.push(fault)
          }
        }),
      ),
    )
    assert.deepEqual(faults.sort(), [], `see ${differences}; UPDATE_PICTURES=1 takes them as they are`)
  })

  test('are those of screens that there are', () => {
    const names = new Set(wanted.map(({ file }) => file))
    for (const { name } of acts) {
      for (const { look } of looks) names.add(`${name}-${look}.png`)
    }
    const left = readdirSync(folder).filter((file) => !names.has(file))
    if (isUpdate) for (const file of left) rmSync(join(folder, file))
    else assert.deepEqual(left, [])
  })
})
