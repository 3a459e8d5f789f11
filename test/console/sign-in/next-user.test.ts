// Two users of one browser, one after the other and without a reload: who signs in second is shown nothing of the first.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { mainFile, type RunningService, startService } from '../../helpers/service.ts'
import { skip } from '../../live/requirements.ts'
import { openBrowser, openPage, password } from '../lab.ts'

const ofAnn = '192.0.2.77'

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  const field = page.getByLabel('Password', { exact: true })
  await field.fill(password)
  await field.press('Enter')
}

describe('who signs in after another session has ended', { skip, timeout: 1_500_000 }, () => {
  let service: RunningService
  let browser: Browser

  before(async () => {
    service = await startService()
    for (const email of ['ann@example.net', 'bob@example.net']) {
      const given = ['user', 'add', email, '--password', '--data', service.dataFolder]
      assert.equal(spawnSync(process.execPath, [mainFile, ...given], { input: `${password}\n` }).status, 0)
    }
    browser = await openBrowser()
  })

  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  test('is not shown what the other was shown', async () => {
    const { page, context, assertQuiet } = await openPage(browser, service.url)
    await page.goto(`${service.url}/sites`)
    await signIn(page, 'ann@example.net')
    await page.getByRole('button', { name: 'Add sites' }).first().click()
    await page.getByRole('dialog').getByRole('textbox').first().fill(ofAnn)
    await page.getByRole('dialog').getByRole('button', { name: /^Add/ }).click()
    await page.locator('main').getByText(ofAnn).first().waitFor()

    await context.clearCookies()
    await page.evaluate('window.isSame = true')
    // The page asks for something else, unless it has found out already.
    await page
      .getByRole('link', { name: 'Events' })
      .first()
      .click({ timeout: 3_000 })
      .catch(() => {})
    await page.getByLabel('E-mail').waitFor()
    // What the service answers is held back: the page shows what it has.
    let release = () => {}
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/api\/v1\/sites/, async (route) => {
      await isReleased
      await route.continue()
    })
    await signIn(page, 'bob@example.net')
    await page.getByRole('link', { name: 'Sites' }).first().click()
    await page.getByRole('heading', { name: 'Sites', level: 1 }).waitFor()
    assert.equal(await page.getByText(ofAnn).count(), 0)
    release()
    await page.getByText('No sites yet').waitFor()
    assert.equal(await page.evaluate('window.isSame'), true)
    assertQuiet(/status of 401|401 Authentication required/)
    await context.close()
  })
})
