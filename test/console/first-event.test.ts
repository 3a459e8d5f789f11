// From the one-time link to the first event, in a real browser against a real service: account, flows, site, attack, event page, with no
// reload and by keyboard; then what people write, signing in, and languages.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext } from 'playwright-core'
import { attackUntil, type FlowSender, flowSender } from '../helpers/flows.ts'
import { type RunningService, startService } from '../helpers/service.ts'
import { skip } from '../live/requirements.ts'
import { accessibilityOf, openBrowser, openPage, password, textsOf, type WatchedPage } from './lab.ts'

const victim = '198.51.100.7'
/** What people write, and what a page must not take for HTML. */
const hostile = '<img src=x onerror="document.title=1">'

describe('the console', { skip, timeout: 1_500_000 }, () => {
  let service: RunningService
  let browser: Browser
  let sender: FlowSender
  let first: WatchedPage
  let state: Awaited<ReturnType<BrowserContext['storageState']>>
  let eventPath: string

  before(async () => {
    service = await startService()
    browser = await openBrowser()
    sender = await flowSender(service.flowAddresses[0])
    first = await openPage(browser, service.url)
  })

  after(async () => {
    await browser?.close()
    await sender?.close()
    await service?.stop()
  })

  test('leads from the one-time link to the first event, with no reload and by keyboard', async () => {
    const { page, context, assertQuiet } = first
    await page.goto(service.setupUrl)
    await page.evaluate('window.isSame = true')
    await page.getByLabel('E-mail').fill('ann@example.net')
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')

    await page.getByText('Waiting for the first packet').waitFor()
    await sender.send([
      {
        src: '192.0.2.1',
        dst: victim,
        srcPort: 40_000,
        dstPort: 443,
        ipProto: 6,
        tcpFlags: 24,
        packets: 3,
        bytes: 900,
      },
    ])
    await page.getByText('127.0.0.1', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Next' }).press('Enter')

    await page.getByLabel('Sites').fill(`${victim}\nlocalhost.`)
    await page.getByRole('button', { name: 'Add 2 sites' }).press('Enter')
    const outcome = page.locator('.outcome')
    await outcome.getByText(victim).waitFor()
    assert.match((await outcome.locator('.bad').textContent()) ?? '', /localhost/)
    await page.getByRole('button', { name: 'Done' }).press('Enter')
    await page.getByRole('link', { name: 'Open the overview' }).press('Enter')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()

    const posture = page.getByRole('banner').getByText('1 attack')
    await attackUntil(sender, victim, () => posture.isVisible())
    await page.keyboard.press('g')
    await page.keyboard.press('e')
    // The overview has a row for it, too.
    await page.getByRole('heading', { name: 'Events', exact: true }).waitFor()
    await page.getByRole('row', { name: /SYN flood/ }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /SYN flood/ }).waitFor()
    const story = page.locator('.story-text')
    assert.match((await story.textContent()) ?? '', new RegExp(victim.replaceAll('.', '\\.')))
    assert.match((await story.textContent()) ?? '', /SYN flood/)
    await page.getByText('Why it was detected').waitFor()
    assert.equal(await page.evaluate('window.isSame'), true)
    assertQuiet(/401/)
    eventPath = new URL(page.url()).pathname
    state = await context.storageState()
  })

  test('the palette finds a site by a part of its name, and Escape closes what is open', async () => {
    const { page, context, assertQuiet } = await openPage(browser, service.url, { state })
    await page.goto(service.url)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('198.51')
    await page
      .getByRole('option', { name: new RegExp(victim) })
      .first()
      .waitFor()
    assert.deepEqual(await accessibilityOf(page), [])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: victim }).waitFor()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.waitFor()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    assertQuiet()
    await context.close()
  })

  test('what people write stays text, and an event that is acknowledged needs no attention', async () => {
    const { page, context, assertQuiet } = await openPage(browser, service.url, { state })
    await page.goto(`${service.url}/events?tab=attention`)
    await page.getByRole('row', { name: /SYN flood/ }).waitFor()
    await page.goto(service.url + eventPath)
    await page.getByRole('button', { name: 'Acknowledge' }).click()
    await page.getByRole('radio', { name: 'Test' }).click()
    await page.getByLabel('Note').fill(hostile)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Last changed by ann@example.net').first().waitFor()
    await page.reload()
    await page.getByText('Acknowledged by ann@example.net').first().waitFor()
    assert.equal(await page.getByLabel('Note').inputValue(), hostile)
    await page.goto(`${service.url}/events?tab=attention&q=${victim}`)
    await page.getByText('No event matches').waitFor()

    await page.goto(`${service.url}/settings?section=groups`)
    await page.getByRole('button', { name: 'Add a group' }).click()
    await page.getByLabel('Name').fill(hostile)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: hostile }).waitFor()
    await page.goto(`${service.url}/sites`)
    await page.getByRole('checkbox', { name: `Select ${victim}` }).check()
    await page.getByRole('combobox', { name: 'Group' }).last().selectOption(hostile)
    await page.getByRole('row').getByText(hostile).waitFor()
    assert.match(await page.title(), / - Floodgauge$/)
    assertQuiet()
    await context.close()
  })

  test('signing in leads back to where one wanted to go, and never elsewhere', async () => {
    for (const [next, path] of [
      ['/sites?q=198', '/sites'],
      ['https://evil.example/', '/'],
      ['//evil.example', '/'],
      ['/\\evil.example', '/'],
    ]) {
      const { page, context } = await openPage(browser, service.url)
      await page.goto(`${service.url}/sign-in?next=${encodeURIComponent(next)}`)
      await page.getByLabel('E-mail').fill('ann@example.net')
      await page.getByLabel('Password').fill(password)
      await page.keyboard.press('Enter')
      await page.locator('.shell').waitFor()
      assert.equal(new URL(page.url()).origin, service.url)
      assert.equal(new URL(page.url()).pathname, path)
      await context.close()
    }
  })

  test('a wrong password is told, and so is a service that is gone', async () => {
    const { page, context, assertQuiet } = await openPage(browser, service.url)
    await page.goto(`${service.url}/sites`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('E-mail').fill('ann@example.net')
    await page.getByLabel('Password').fill('something else')
    await page.keyboard.press('Enter')
    await page.getByText('Wrong e-mail or password').waitFor()
    assert.deepEqual(await accessibilityOf(page), [])
    await page.getByLabel('Password').fill(password)
    await page.route('**/api/v1/sites*', (route) => route.abort())
    await page.keyboard.press('Enter')
    await page.getByText('Can’t reach the service').or(page.getByText('Can’t reach the service')).first().waitFor()
    assert.deepEqual(await accessibilityOf(page), [])
    assertQuiet(/401|ERR_FAILED/)
    await context.close()
  })

  test('another language is shown throughout, and the choice is kept', async () => {
    const { page, context, assertQuiet } = await openPage(browser, service.url, { state, locale: 'zh-CN' })
    await page.goto(service.url + eventPath)
    await page.getByRole('heading', { name: /SYN 洪水攻击/ }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'zh')
    await page.getByRole('button', { name: 'ann@example.net' }).click()
    await page.getByRole('combobox', { name: '语言' }).selectOption('en')
    await page.getByRole('heading', { name: /SYN flood/ }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: /SYN flood/ }).waitFor()
    assertQuiet()
    await context.close()
  })

  test('no text is outside of the message files: in a made-up language every word is in brackets, or is data', async () => {
    const { page, context } = await openPage(browser, service.url, { state, locale: 'zh-CN' })
    await page.route('**/assets/zh-*.js', async (route) => {
      const answer = await route.fetch()
      // What the build made of the file: an object of texts in quotes or backticks. What is between the places of a message is put in brackets.
      const text = (await answer.text()).replaceAll(
        /(:\s*)(["'`])((?:(?!\2)[^\\]|\\.)*)\2/g,
        (_, colon, quote, message) => {
          const parts = String(message).split(/(\{\w+\})/)
          return (
            colon + quote + parts.map((part, i) => (i % 2 === 1 || part === '' ? part : `⟦${part}⟧`)).join('') + quote
          )
        },
      )
      await route.fulfill({ response: answer, body: text })
    })
    for (const path of [
      '/',
      '/events',
      eventPath,
      '/sites',
      `/sites/${victim}`,
      `/addresses?address=${victim}`,
      '/traffic?by=site&previous=yes',
      `/names?q=${victim}`,
      '/sources',
      '/sources/127.0.0.1',
      '/alerts',
      '/settings',
      '/sign-in',
    ]) {
      await page.goto(service.url + path)
      await page.locator('main h1').first().waitFor()
      await page.locator('main:not(:has([aria-busy]))').waitFor()
      assert.ok((await textsOf(page)).join(' ').includes('⟦'), 'the made-up language is not shown')
      // Data: addresses, ports, proper names, amounts with their units, what a place of a message holds.
      const data =
        /^[\s\d.,:;/×≈±%()·…–+-]*(?:(?:[kMGT]?(?:bps|pps|B)?|UDP|TCP|ICMP|UTC|NetFlow v5|HTTPS|SYN|Chrome|ann@example\.net|openapi\.json)[\s\d.,:;/×≈±%()·…–+-]*)*$/
      const outside = (await textsOf(page)).filter(
        (text) =>
          text !== hostile && !data.test(text.replaceAll(/⟦[^⟧]*⟧/g, '').replaceAll(/[⟦⟧]/g, '')) && !/[⟦⟧]/.test(text),
      )
      assert.deepEqual(outside, [], path)
    }
    await context.close()
  })
})
