// A viewer, a member and an admin in a browser: each is shown what works for them, the admin makes the others and reads in the audit log what came of it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { mainFile, type RunningService, startService } from '../../helpers/service.ts'
import { skip } from '../../live/requirements.ts'
import { accessibilityOf, openBrowser, openPage, overflowOf, password, phone } from '../lab.ts'

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  const field = page.getByLabel('Password', { exact: true })
  await field.fill(password)
  await field.press('Enter')
  await page.locator('main h1').first().waitFor()
}

describe('roles', { skip, timeout: 1_500_000 }, () => {
  let service: RunningService
  let browser: Browser

  before(async () => {
    service = await startService()
    const given = ['user', 'add', 'root@example.net', '--password', '--data', service.dataFolder]
    assert.equal(spawnSync(process.execPath, [mainFile, ...given], { input: `${password}\n` }).status, 0)
    browser = await openBrowser()
  })

  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const open = async (email: string, path: string, options: Parameters<typeof openPage>[2] = {}) => {
    const opened = await openPage(browser, service.url, options)
    await opened.page.goto(`${service.url}${path}`)
    await signIn(opened.page, email)
    return opened
  }

  test('an admin makes users of each role, and sees them', async () => {
    const { page, context, assertQuiet } = await open('root@example.net', '/settings?section=users')
    for (const role of ['Viewer', 'Member']) {
      await page.getByRole('button', { name: 'Add user' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('E-mail').fill(`${role.toLowerCase()}@example.net`)
      await dialog.getByLabel('Password', { exact: true }).fill(password)
      await dialog.getByRole('radio', { name: new RegExp(`^${role}`) }).check()
      assert.deepEqual(await accessibilityOf(page), [])
      await dialog.getByRole('button', { name: 'Save' }).click()
      const row = page.getByRole('row').filter({ hasText: `${role.toLowerCase()}@example.net` })
      await row.getByText(role, { exact: true }).waitFor()
    }
    // Nobody takes their own role from themselves.
    await page.getByRole('row').filter({ hasText: 'root@example.net' }).getByRole('button', { name: 'Change' }).click()
    assert.equal(await page.getByRole('radio', { name: /^Viewer/ }).isDisabled(), true)
    assertQuiet(/status of 401/)
    await context.close()
  })

  test('a member adds a site, and sees nothing of the installation', async () => {
    const { page, context, assertQuiet } = await open('member@example.net', '/sites')
    await page.getByRole('button', { name: 'Add sites' }).first().click()
    await page.getByRole('dialog').getByRole('textbox').first().fill('192.0.2.10')
    await page.getByRole('dialog').getByRole('button', { name: /^Add/ }).click()
    await page.getByText('192.0.2.10').first().waitFor()
    await page.goto(`${service.url}/settings`)
    await page.getByRole('link', { name: 'Account' }).waitFor()
    for (const name of ['Users', 'Audit log']) assert.equal(await page.getByRole('link', { name }).count(), 0)
    assertQuiet(/status of 401/)
    await context.close()
  })

  test('a viewer is shown no button that would be refused', async () => {
    const { page, context, assertQuiet } = await open('viewer@example.net', '/sites')
    await page.getByText('No sites yet').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Add sites' }).count(), 0)
    await page.goto(`${service.url}/settings?section=groups`)
    await page.locator('.card-note').first().waitFor()
    assert.equal(await page.getByRole('button', { name: 'Add a group' }).count(), 0)
    await page.goto(`${service.url}/settings?section=tokens`)
    await page.getByRole('button', { name: 'Create token' }).first().click()
    const scopes = page.getByRole('dialog').getByRole('checkbox')
    await scopes.first().waitFor()
    assert.equal(await scopes.count(), 1)
    assert.deepEqual(await accessibilityOf(page), [])
    assertQuiet(/status of 401/)
    await context.close()
  })

  test('the audit log says who did what, and finds it', async () => {
    const { page, context, assertQuiet } = await open('root@example.net', '/settings?section=audit')
    const row = (text: string) => page.getByRole('row').filter({ hasText: text })
    await row('Created user viewer@example.net').first().waitFor()
    assert.match((await row('Created user viewer@example.net').first().textContent()) ?? '', /root@example\.net.*Done/s)
    await row('Added sites 192.0.2.10').first().waitFor()
    assert.deepEqual(await accessibilityOf(page), [])
    await page.getByRole('searchbox', { name: 'Who' }).fill('member@')
    await row('Created user').first().waitFor({ state: 'detached' })
    await row('Added sites 192.0.2.10').waitFor()
    await page.getByLabel('Outcome').selectOption('Refused')
    await page.getByText('No entry matches').waitFor()
    assertQuiet(/status of 401/)
    await context.close()
  })

  test('the audit log fits a phone, in Chinese and in the dark', async () => {
    const { page, context, assertQuiet } = await openPage(browser, service.url, {
      ...{ viewport: phone, theme: 'dark', locale: 'zh-CN' },
    })
    await page.goto(`${service.url}/settings?section=audit`)
    await page.locator('input[type=email]').fill('root@example.net')
    await page.locator('input[type=password]').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('row').filter({ hasText: '创建用户' }).first().waitFor()
    assert.equal(await overflowOf(page), 0)
    assert.deepEqual(await accessibilityOf(page), [])
    assertQuiet(/status of 401/)
    await context.close()
  })
})
