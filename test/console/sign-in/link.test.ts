// The way into the console for who began on the command line: the link that it prints, with a password or at once; it works once.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { floodgauge, type RunningService, startService } from '../../helpers/service.ts'
import { skip } from '../../live/requirements.ts'
import { accessibilityOf, openBrowser, openPage, password } from '../lab.ts'

const email = 'ann@example.net'

describe('a link of the command line', { skip, timeout: 1_500_000 }, () => {
  let service: RunningService
  let browser: Browser

  before(async () => {
    service = await startService()
    browser = await openBrowser()
  })

  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const linkOf = (out: string) => /^ {2}(http\S+)$/m.exec(out)?.[1] ?? ''
  const user = (...args: string[]) => floodgauge('user', ...args, '--data', service.dataFolder)

  test('lets the first user in, who chooses a password and looks after the installation', async () => {
    const link = linkOf(await user('add', email))
    assert.ok(link.startsWith(`${service.url}/link#`), link)
    const { page, assertQuiet } = await openPage(browser, service.url)
    await page.goto(link)
    const field = page.getByLabel('Password')
    await field.waitFor()
    assert.equal(await page.getByLabel('E-mail').inputValue(), email)
    assert.deepEqual(await accessibilityOf(page), [])
    await field.fill(password)
    await field.press('Enter')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    assert.equal(new URL(page.url()).hash, '')
    assertQuiet()
    await page.goto(`${service.url}/settings?section=users`)
    await page.getByRole('cell', { name: email }).waitFor()
    assertQuiet()

    const other = await openPage(browser, service.url)
    await other.page.goto(link)
    await other.page.getByLabel('Password').fill(password)
    await other.page.keyboard.press('Enter')
    await other.page.getByText('This link is no longer valid').waitFor()
    assert.deepEqual(await accessibilityOf(other.page), [])
    await other.page.goto(`${service.url}/sign-in`)
    await other.page.getByLabel('E-mail').fill(email)
    await other.page.getByLabel('Password').fill(password)
    await other.page.keyboard.press('Enter')
    await other.page.getByRole('heading', { name: 'Overview' }).waitFor()
  })

  test('signs in at once where it was made for that, and says so when it is used up', async () => {
    const link = linkOf(await user('link', email, '--direct'))
    const { page, assertQuiet } = await openPage(browser, service.url)
    await page.goto(link)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    assertQuiet()
    const again = await openPage(browser, service.url)
    await again.page.goto(link)
    await again.page.getByText('This link is no longer valid').waitFor()
  })
})
