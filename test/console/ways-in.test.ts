// Nobody is locked out of the console while no admin can sign in, or by a link that is used up: each of these pages has a way on, in plain words.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { floodgauge, mainFile, type RunningService, startService } from '../helpers/service.ts'
import { skip } from '../live/requirements.ts'
import { accessibilityOf, openBrowser, openPage, password } from './lab.ts'

const owner = 'owner@example.net'
const admin = 'ann@example.net'

describe('the ways into the console', { skip, timeout: 1_500_000 }, () => {
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

  const open = async (address: string) => {
    const { page } = await openPage(browser, service.url)
    await page.goto(address)
    return page
  }
  const enter = async (page: Page, email: string, given: string) => {
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(given)
    await page.keyboard.press('Enter')
  }

  test('an owner of sites signs in though no admin can', async () => {
    const given = ['user', 'add', owner, '--admin', 'no', '--password', '--data', service.dataFolder]
    assert.equal(spawnSync(process.execPath, [mainFile, ...given], { input: `${password}\n` }).status, 0)
    const page = await open(service.url)
    await page.getByRole('heading', { name: 'Set up Floodgauge' }).waitFor()
    assert.deepEqual(await accessibilityOf(page), [])
    await page.getByText('floodgauge user link EMAIL').waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await enter(page, owner, password)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
  })

  test('a password that will not do is told in words, and a form that somebody else was faster with leads to signing in', async () => {
    const [first, second] = [await open(service.setupUrl), await open(service.setupUrl)]
    await enter(first, admin, 'aaaaaaaaaaaa')
    const alert = first.getByRole('alert')
    await alert.waitFor()
    assert.equal(await alert.textContent(), 'The password needs more than three different characters.')
    await enter(first, admin, password)
    await first.getByRole('heading', { name: 'Send flows here' }).waitFor()

    await enter(second, admin, password)
    await second.getByText('Floodgauge is already set up').waitFor()
    await second.getByRole('link', { name: 'Sign in' }).click()
    await enter(second, admin, password)
    await second.getByRole('heading', { name: 'Overview' }).waitFor()
  })

  test('a code of an earlier start is told to be one', async (t) => {
    const other = await startService()
    t.after(() => other.stop())
    const { page } = await openPage(browser, other.url)
    await page.goto(`${other.url}/setup?code=${new URL(service.setupUrl).searchParams.get('code')}`)
    await enter(page, admin, password)
    await page.getByText('each start of the service prints a new one').waitFor()
  })

  test('a link that is used up leads to signing in', async () => {
    const out = await floodgauge('user', 'link', owner, '--data', service.dataFolder)
    const link = /http\S+/.exec(out)?.[0] ?? ''
    const [first, second] = [await open(link), await open(link)]
    for (const page of [first, second]) await page.getByLabel('Password').waitFor()
    await first.getByLabel('Password').fill(password)
    await first.keyboard.press('Enter')
    await first.getByRole('heading', { name: 'Overview' }).waitFor()
    await second.getByLabel('Password').fill(password)
    await second.keyboard.press('Enter')
    await second.getByText('This link is no longer valid').waitFor()
    await second.getByRole('link', { name: 'Sign in' }).waitFor()
  })
})
