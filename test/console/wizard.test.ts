// The first steps over made-up answers: the first field has the focus, one button leads on, what was added is summed up, and an attack is
// simulated on a site that has an address.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { endpoints } from '../../src/contract/endpoints.ts'
import { skip } from '../live/requirements.ts'
import { Refusal } from './canned.ts'
import { accessibilityOf } from './lab.ts'
import { sites } from './scene.ts'
import { consoleSuite } from './suite/console-suite.ts'

describe('the first steps', { skip, timeout: 1_500_000 }, () => {
  const { canned, open: openPath } = consoleSuite()
  const open = (search: string) => openPath(`/setup${search}`)
  const primaries = (page: Page) => page.locator('.button.primary').allTextContents()
  const focused = (page: Page) => page.evaluate('document.activeElement.tagName')

  test('one can type at once, and what is wrong is said below its field', async () => {
    const { page, context, assertQuiet } = await open('?code=abc')
    await page.keyboard.type('ann@example.com')
    assert.equal(await page.getByLabel('E-mail').inputValue(), 'ann@example.com')
    await page.getByLabel('Password').fill('short')
    await page.keyboard.press('Enter')
    await page.getByText('Too short: at least 10 characters.').waitFor()
    assert.equal(
      canned.asked.some(({ name }) => name === 'setUp'),
      false,
    )
    assert.deepEqual(await accessibilityOf(page), [])
    assert.deepEqual(await primaries(page), ['Create account'])
    await page.getByLabel('Password').fill('correct horse battery')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Send flows here' }).waitFor()
    assert.equal(await focused(page), 'SELECT')
    assert.deepEqual(await primaries(page), ['Next'])
    assert.equal(await page.getByText('0f9d1c2e').isVisible(), false)
    await page.getByText('Show the API token').click()
    assert.equal(await page.getByText('0f9d1c2e').isVisible(), true)
    assert.deepEqual(await accessibilityOf(page), [])
    assertQuiet()
    await context.close()
  })

  test('sites that are added are counted, and then one button leads on', async () => {
    const { page, context, assertQuiet } = await open('?step=site')
    canned.answer({
      addAnySites: () => ({
        status: 0,
        success: Array.from({ length: 47 }, (_, n) => `a${n}.example.net`),
        error: Array.from({ length: 5 }, (_, n) => ({ [`10.${n}.0.0/8`]: 'The CIDR prefix must be >=24' })),
      }),
    })
    await page.keyboard.type('a0.example.net 10.0.0.0/8')
    await page.getByRole('button', { name: 'Add 2 sites' }).click()
    await page.getByText('47 added, 5 refused').waitFor()
    assert.deepEqual(await primaries(page), ['Done'])
    assert.equal(await page.getByRole('button', { name: 'Later' }).count(), 0)
    assert.deepEqual(await accessibilityOf(page), [])
    await page.getByRole('link', { name: 'Flows' }).click()
    await page.getByRole('heading', { name: 'Send flows here' }).waitFor()
    assertQuiet()
    await context.close()
  })

  test('an attack is simulated on an address or a network, or on a name that leads somewhere', async () => {
    const { page, context, assertQuiet } = await open('?step=done')
    const site = page.getByLabel('Site')
    await site.waitFor()
    assert.deepEqual(await site.locator('option').allTextContents(), [
      ...['192.0.2.53', '198.51.100.0/24'],
      ...['api.example.net', 'mail.example.net', 'play.example.org', 'shop.example.net', 'www.example.net'],
    ])
    assert.deepEqual(await primaries(page), ['Start simulation'])
    await site.selectOption('mail.example.net')
    await page.getByRole('button', { name: 'Start simulation' }).click()
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    assert.equal(canned.asked.findLast(({ name }) => name === 'startSimulation')?.params.host, 'mail.example.net')
    assert.deepEqual(await accessibilityOf(page), [])
    assertQuiet()
    await context.close()
  })

  test('the first channel is made there, and then it is said who is told', async () => {
    const { channel, secret } = endpoints.addChannel.example.response
    canned.answer({ listChannels: () => ({ channels: [] }), addChannel: () => ({ channel, secret }) })
    const { page, context, assertQuiet } = await open('?step=done')
    await page.getByText('Nobody looks at a screen all day').waitFor()
    await page.getByRole('button', { name: 'Add a channel' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Kind').selectOption('Webhook')
    await dialog.getByLabel('Name', { exact: true }).fill('Night shift')
    await dialog.getByLabel('Address').fill('https://hooks.example.com/a')
    canned.answer({ listChannels: () => ({ channels: [channel] }) })
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Done' }).press('Enter')
    await page.getByText('Messages about attacks on your sites go to: Night shift').waitFor()
    assert.deepEqual(await primaries(page), ['Start simulation'])
    assert.deepEqual(await accessibilityOf(page), [])
    assertQuiet()
    await context.close()
  })

  test('while no site has an address that is said, and an attack can be simulated as soon as one has', async () => {
    const nowhere = sites.filter(({ addresses, isEnabled }) => isEnabled && addresses.count === 0)
    assert.equal(nowhere.length, 2)
    canned.answer({ findSites: () => ({ sites: nowhere, total: 2, next: null }) })
    const { page, context, assertQuiet } = await open('?step=done')
    await page.getByText('none of your sites resolves to an address').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Start simulation' }).count(), 0)
    assert.deepEqual(await primaries(page), ['Open the overview'])
    assert.deepEqual(await accessibilityOf(page), [])
    const [first, ...others] = nowhere
    const found = { ...first, addresses: { count: 1, observable: 0 } }
    canned.answer({ findSites: () => ({ sites: [found, ...others], total: 2, next: null }) })
    await page.getByLabel('Site').waitFor()
    canned.answer({ startSimulation: () => new Refusal(409, 'The site leads nowhere') })
    await page.getByRole('button', { name: 'Start simulation' }).click()
    await page.getByText(`Not possible on ${first.host}`).waitFor()
    assert.equal(await page.getByText('409').count(), 0)
    assertQuiet(/409/)
    await context.close()
  })
})
