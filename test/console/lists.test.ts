// The long lists and what is found in them: rows that fit the window as it changes, words of the screen, a change that can be taken back,
// and the palette. Answers are made up, so that what is on the screen is known.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { patienceMs } from '../helpers/until.ts'
import { skip } from '../live/requirements.ts'
import { accessibilityOf, comesTrue, overflowOf, phone } from './lab.ts'
import { events, sceneAnswers } from './scene.ts'
import { consoleSuite } from './suite/console-suite.ts'

describe('lists', { skip, timeout: 1_500_000 }, () => {
  const { canned, open } = consoleSuite()

  /** The rows that lie over the one before them, or leave a gap to it. */
  const misplaced = async (page: Page, rows: string): Promise<string[]> => {
    const found: unknown = await page.evaluate(`(() => {
      const boxes = [...document.querySelectorAll('${rows}')].map((row) => row.getBoundingClientRect()).sort((a, b) => a.top - b.top)
      return boxes.flatMap(({ top }, i) => i > 0 && Math.abs(top - boxes[i - 1].bottom) > 1 ? [top + ' after ' + boxes[i - 1].bottom] : [])
    })()`)
    return Array.isArray(found) ? found.map(String) : ['no list']
  }

  for (const [path, rows] of [
    ['/events', '.event-body > .event-row'],
    ['/sites', '.site-body > .site-row'],
  ]) {
    test(`rows of ${path} lie one below the other, also after the window was narrowed and widened`, async () => {
      const { page, context, assertQuiet } = await open(path)
      await page.locator(rows).first().waitFor()
      const heightOf = async () => (await page.locator(rows).first().boundingBox())?.height ?? 0
      const wideHeight = await heightOf()
      for (const { width, isWrapped } of [
        { width: 1440, isWrapped: false },
        { width: 600, isWrapped: true },
        { width: 1100, isWrapped: false },
        { width: 390, isWrapped: true },
      ]) {
        await page.setViewportSize({ width, height: 900 })
        const wrongOf = async () => {
          const height = await heightOf()
          const isFit = isWrapped ? height > wideHeight : height === wideHeight
          return [...(await misplaced(page, rows)), ...(isFit ? [] : [`${height} high, ${wideHeight} at first`])]
        }
        // On a busy machine the list hears of the new width some frames after the rows were drawn for it: what counts is where they come to lie.
        let wrong = await wrongOf()
        for (const until = Date.now() + patienceMs; wrong.length > 0 && Date.now() < until; wrong = await wrongOf()) {
          await page.waitForTimeout(50)
        }
        assert.deepEqual(wrong, [], `${width} wide`)
        assert.equal(await overflowOf(page), 0)
      }
      assertQuiet()
      await context.close()
    })
  }

  test('the attacks on an address have more columns once the window is wide, and fewer when it is narrowed', async () => {
    const { page, context, assertQuiet } = await open('/addresses?address=203.0.113.21', { viewport: phone })
    const duration = page.locator('.event-rows th', { hasText: 'Duration' })
    await page.locator('.event-rows').waitFor()
    assert.equal(await duration.count(), 0)
    await page.setViewportSize({ width: 1100, height: 900 })
    await duration.waitFor({ state: 'attached' })
    await page.setViewportSize(phone)
    await duration.waitFor({ state: 'detached' })
    assertQuiet()
    await context.close()
  })

  test('a kind of attack is found by its name, a severity by its word, in either language', async () => {
    for (const [locale, kind, severity, label] of [
      ['en-GB', 'SYN flood', 'Critical', 'Find events'],
      ['zh-CN', 'SYN 洪水攻击', '严重', '查找事件'],
    ]) {
      const { page, context } = await open('/events', { locale })
      const rows = page.locator('.event-body > .event-row')
      const field = page.getByRole('searchbox', { name: label })
      await field.fill(kind)
      const isKind = `(link) => link.textContent === ${JSON.stringify(kind)}`
      const hasKindAlone = `[...document.querySelectorAll('.event-body .row-link')].every(${isKind})`
      assert.ok(await comesTrue(page, hasKindAlone))
      assert.ok((await rows.count()) >= 8)
      await field.fill(severity)
      await page.waitForURL(/q=/)
      const isCritical = `[...document.querySelectorAll('.event-body .severity')].every((mark) => mark.matches('.critical'))`
      assert.ok(await comesTrue(page, isCritical))
      assert.equal(canned.asked.findLast(({ name }) => name === 'findEvents')?.search.get('severity'), 'critical')
      await context.close()
    }
  })

  test('what is not found is said with what was looked for and where, and the way on is offered', async () => {
    const { page, context, assertQuiet } = await open('/events?tab=attention&q=nothing.example')
    await page.getByRole('heading', { name: 'No event matches' }).waitFor()
    await page.getByText('Searched “Needs attention” of the last 30 days for “nothing.example”.').waitFor()
    assert.equal(await page.getByText('are acknowledged').count(), 0)
    assert.deepEqual(await accessibilityOf(page), [])
    await page.getByRole('button', { name: 'Search all events' }).click()
    await page.getByText('Searched “All” of the last 30 days').waitFor()
    await page.getByRole('button', { name: 'Clear search' }).click()
    await page.locator('.event-body > .event-row').first().waitFor()
    assert.equal(new URL(page.url()).searchParams.get('q'), null)
    assertQuiet()
    await context.close()
  })

  test('in the hand a site has its traffic, how far it is learnt and its last attack, and nothing that stops it by a slip', async () => {
    const { page, context, assertQuiet } = await open('/sites', { viewport: phone })
    const row = page.getByRole('row', { name: /198\.51\.100\.0\/24/ })
    await row.waitFor()
    for (const text of ['bps', 'Learnt 100%', 'Traffic spike', 'ago']) {
      assert.ok(await row.getByText(text).first().isVisible(), text)
    }
    assert.equal(await page.getByRole('switch').count(), 0)
    assert.ok(
      await page
        .getByRole('row', { name: /cdn\.example\.org/ })
        .getByText('Paused')
        .isVisible(),
    )
    assert.deepEqual(await accessibilityOf(page), [])
    assertQuiet()
    await context.close()
  })

  test('a site that is paused by a slip is watched again by Undo, and what says so covers no switch', async () => {
    const { page, context, assertQuiet } = await open('/sites')
    const changes = () => canned.asked.filter(({ name }) => name === 'disableSites' || name === 'enableSites')
    const earlier = changes().length
    await page.clock.install()
    await page.getByRole('switch', { name: /mail\.example\.net/ }).click()
    const undo = page.getByRole('button', { name: 'Undo' })
    // The note stays while somebody points at it.
    await undo.hover()
    await page.clock.fastForward(60_000)
    const note = await page.locator('.toast').boundingBox()
    for (const each of await page.getByRole('switch').all()) {
      const box = await each.boundingBox()
      assert.ok(note !== null && box !== null)
      const isApart = box.x > note.x + note.width || box.x + box.width < note.x || box.y + box.height < note.y
      assert.ok(isApart, 'the note covers a switch')
    }
    assert.deepEqual(await accessibilityOf(page), [])
    await undo.click()
    await page.getByText('1 site is watched').waitFor()
    assert.deepEqual(
      changes()
        .slice(earlier)
        .map(({ name, body }) => [name, body]),
      [
        ['disableSites', { hosts: ['mail.example.net'] }],
        ['enableSites', { hosts: ['mail.example.net'] }],
      ],
    )
    assertQuiet()
    await context.close()
  })

  test('many sites are paused at once, and undone are those alone that were not paused before', async () => {
    const { page, context, assertQuiet } = await open('/sites')
    const earlier = canned.asked.length
    for (const host of ['cdn.example.org', 'mail.example.net', 'www.example.net']) {
      await page.getByRole('checkbox', { name: `Select ${host}` }).check()
    }
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 sites are watched').waitFor()
    const turned = canned.asked.slice(earlier).filter(({ name }) => name === 'enableSites')
    assert.deepEqual(
      turned.map(({ body }) => body),
      [{ hosts: ['mail.example.net', 'www.example.net'] }],
    )
    assertQuiet()
    await context.close()
  })

  for (const [locale, label, typed] of [
    ['en-GB', 'Search or go to', 'ntp ampl'],
    ['zh-CN', '搜索或跳转', 'NTP 放大攻击'],
  ]) {
    test(`the palette finds events by what their kind is called (${locale})`, async () => {
      const { page, context, assertQuiet } = await open('/sites', { locale })
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: label }).fill(typed)
      const options = page.getByRole('dialog').getByRole('option')
      await options.first().waitFor()
      const texts = await options.allTextContents()
      assert.ok(texts.length > 1)
      for (const text of texts) assert.match(text, /NTP/)
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/events\/[0-9a-f]{24}$/)
      assertQuiet()
      await context.close()
    })
  }

  test('the palette changes how things are shown, and offers no choice that is made already', async () => {
    const { page, context, assertQuiet } = await open('/sites')
    const choose = async (typed: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search or go to' }).fill(typed)
      return page.getByRole('dialog').getByRole('option')
    }
    const dark = await choose('theme: dark')
    await dark.getByText('Theme: Dark').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('html[data-theme=dark]').waitFor()
    const choices = await choose('theme: ')
    await choices.first().waitFor()
    assert.deepEqual(await choices.locator('span').allTextContents(), ['Theme: Auto', 'Theme: Light'])
    await page.keyboard.press('Escape')
    await (await choose('sign out')).getByText('Sign out').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/sign-in/)
    assert.ok(canned.asked.some(({ name }) => name === 'signOut'))
    assertQuiet(/401/)
    await context.close()
  })

  test('Enter in the palette goes to the site that is called so, not to one of a group that is', async () => {
    canned.answer({
      search: () => ({
        sites: ['api.example.net', 'eshop.example.net', 'shop.example.net'].map((host) => ({
          host,
          isEnabled: host !== 'eshop.example.net',
        })),
        events: events.filter(({ domain }) => domain === 'shop.example.net').slice(0, 3),
        addresses: [],
        exporters: [],
      }),
    })
    const { page, context, assertQuiet } = await open('/sites')
    await page.keyboard.press('Control+k')
    const box = page.getByRole('combobox', { name: 'Search or go to' })
    await box.fill('shop')
    const options = page.getByRole('dialog').getByRole('option')
    await options.first().waitFor()
    assert.deepEqual(
      (await options.allTextContents()).map((text) => text.split('.')[0].replace(/^.*(: | on )/, '')),
      ['shop', 'eshop', 'shop', 'shop', 'shop', 'api'],
    )
    assert.match((await options.nth(1).textContent()) ?? '', /Paused/)
    assert.match((await options.nth(2).textContent()) ?? '', /4 min(ute)?s? ago.*Ongoing/)
    assert.match((await options.nth(3).textContent()) ?? '', /ago.*(Ended|Test)/)
    assert.deepEqual(await accessibilityOf(page), [])
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    // Faster than the answer.
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or go to' }).pressSequentially('shop.')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/sites\/shop\.example\.net$/)
    canned.answer({ search: sceneAnswers.search ?? (() => assert.fail()) })
    assertQuiet()
    await context.close()
  })
})
