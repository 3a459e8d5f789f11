// The second factor in a browser: set up by the secret that the page shows, asked for at the next sign-in, recovery codes, turned off; and led to at
// sign-in where the installation asks for it. By keyboard, in both languages, light and dark.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type Authenticator, authenticator } from '../../helpers/authenticator.ts'
import { floodgauge, mainFile, type RunningService, startService } from '../../helpers/service.ts'
import { skip } from '../../live/requirements.ts'
import { accessibilityOf, comesTrue, openBrowser, openPage, overflowOf, password, phone } from '../lab.ts'

const email = 'ann@example.net'

function addUser(service: RunningService): void {
  const given = ['user', 'add', email, '--password', '--data', service.dataFolder]
  assert.equal(spawnSync(process.execPath, [mainFile, ...given], { input: `${password}\n` }).status, 0)
}

/** Fills in the field that has the focus, and sends it. */
async function type(page: Page, label: string, text: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true })
  await field.waitFor()
  await field.fill(text)
  await field.press('Enter')
}

async function enter(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await type(page, 'Password', password)
}

/** From the password to the recovery codes, which are left in sight. */
async function setUp(page: Page): Promise<{ device: Authenticator; codes: string[] }> {
  await type(page, 'Password', password)
  await page.getByRole('img', { name: 'QR code' }).waitFor()
  await page.getByText('The camera does not work?').click()
  const secret = ((await page.locator('details .code').textContent()) ?? '').replaceAll(/\s/g, '')
  assert.match(secret, /^[A-Z2-7]{32}$/)
  assert.deepEqual(await accessibilityOf(page), [])
  const device = authenticator(secret)
  await type(page, 'Code', device.code(1_000))
  await page.getByRole('alert').filter({ hasText: 'The code is wrong' }).waitFor()
  await type(page, 'Code', device.code())
  await page.getByText('They are shown only now').waitFor()
  const codes = ((await page.locator('.code').last().textContent()) ?? '').split('\n')
  assert.equal(codes.length, 10)
  assert.deepEqual(await accessibilityOf(page), [])
  return { device, codes }
}

describe('a second factor', { skip, timeout: 1_500_000 }, () => {
  let service: RunningService
  let browser: Browser
  let device: Authenticator
  let codes: string[]

  before(async () => {
    service = await startService()
    addUser(service)
    browser = await openBrowser()
  })

  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  test('is set up in the settings, with a wrong password and a wrong code told', async () => {
    const { page, assertQuiet } = await openPage(browser, service.url, { theme: 'dark' })
    await page.goto(`${service.url}/settings`)
    await enter(page)
    await page.getByRole('button', { name: 'Set up second factor' }).press('Enter')
    await type(page, 'Password', 'another password')
    const wrong = page.getByRole('dialog').getByText('The current password is wrong')
    await wrong.waitFor()
    ;({ device, codes } = await setUp(page))
    await page.getByRole('button', { name: 'I have kept them' }).press('Enter')
    await page.getByText('10 recovery codes left').waitFor()
    assert.deepEqual(await accessibilityOf(page), [])
    assertQuiet(/status of 40[13]/)
  })

  test('is asked for after the password, and only then', async () => {
    const { page, assertQuiet } = await openPage(browser, service.url, { viewport: phone })
    await page.goto(`${service.url}/sign-in?next=%2Fsites`)
    await page.getByLabel('E-mail').fill(email)
    await type(page, 'Password', 'another password')
    await page.getByText('Wrong e-mail or password').waitFor()
    await type(page, 'Password', password)
    const code = page.getByLabel('Code', { exact: true })
    await code.waitFor()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    const isFocused = 'document.activeElement === document.querySelector("[autocomplete=one-time-code]")'
    assert.ok(await comesTrue(page, isFocused))
    assert.deepEqual(await accessibilityOf(page), [])
    assert.equal(await overflowOf(page), 0)
    await type(page, 'Code', device.code(1_000))
    await page.getByText('The code is wrong').waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await type(page, 'Password', password)
    await type(page, 'Code', device.code(1))
    await page.getByRole('heading', { name: 'Sites', exact: true }).waitFor()
    assertQuiet(/status of 401/)
  })

  test('gives way to a recovery code, in Chinese as well, and is turned off with one', async () => {
    const { page, assertQuiet } = await openPage(browser, service.url, { locale: 'zh-CN' })
    await page.goto(`${service.url}/sign-in`)
    await page.getByLabel('电子邮件').fill(email)
    await type(page, '密码', password)
    await page.getByLabel('验证码', { exact: true }).waitFor()
    assert.deepEqual(await accessibilityOf(page), [])
    await type(page, '验证码', codes[0])
    await page.getByRole('heading', { name: '总览' }).waitFor()
    await page.goto(`${service.url}/settings`)
    await page.getByText('剩余 9 个恢复码').waitFor()
    await page.getByRole('button', { name: '重新生成恢复码' }).press('Enter')
    await type(page, '验证码', codes[1])
    await page.getByText('恢复码仅在此时显示').waitFor()
    codes = ((await page.locator('.code').last().textContent()) ?? '').split('\n')
    await page.getByRole('button', { name: '我已保存' }).click()
    await page.getByText('剩余 10 个恢复码').waitFor()
    await page.getByRole('button', { name: '关闭', exact: true }).press('Enter')
    assert.deepEqual(await accessibilityOf(page), [])
    await type(page, '验证码', codes[0])
    await page.getByRole('button', { name: '设置双重验证' }).waitFor()
    assertQuiet(/status of 401/)
  })

  test('is reset by an admin', async () => {
    const { page } = await openPage(browser, service.url)
    await page.goto(await linkTo(service))
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    const other = 'bob@example.net'
    const given = ['user', 'add', other, '--role', 'admin', '--password', '--data', service.dataFolder]
    assert.equal(spawnSync(process.execPath, [mainFile, ...given], { input: `${password}\n` }).status, 0)
    await page.goto(`${service.url}/settings`)
    await page.getByRole('button', { name: 'Set up second factor' }).click()
    await setUp(page)
    const { page: admin } = await openPage(browser, service.url)
    await admin.goto(`${service.url}/settings?section=users`)
    await admin.getByLabel('E-mail').fill(other)
    await type(admin, 'Password', password)
    await admin.getByRole('row', { name: email }).getByText('Two factors').waitFor()
    assert.deepEqual(await accessibilityOf(admin), [])
    await admin.getByRole('button', { name: 'Reset second factor' }).click()
    await admin.getByRole('dialog').getByRole('button', { name: 'Reset second factor' }).click()
    await admin.getByText('Two factors').waitFor({ state: 'detached' })
  })
})

async function linkTo({ dataFolder, url }: RunningService): Promise<string> {
  const link = /http\S+/.exec(await floodgauge('user', 'link', email, '--direct', '--data', dataFolder))?.[0] ?? ''
  assert.ok(link.startsWith(url), link)
  return link
}

describe('a second factor that the installation asks for', { skip, timeout: 1_500_000 }, () => {
  let service: RunningService
  let browser: Browser

  before(async () => {
    service = await startService(undefined, { env: { FLOODGAUGE_SIGN_ON_REQUIRE_SECOND_FACTOR: 'all' } })
    browser = await openBrowser()
  })

  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  test('is set up on the way from the first link to the first site', async () => {
    const { page, assertQuiet } = await openPage(browser, service.url)
    await page.goto(service.setupUrl)
    await page.getByLabel('E-mail').fill('root@example.net')
    await type(page, 'Password', password)
    await page.getByRole('heading', { name: 'Second factor' }).waitFor()
    await setUp(page)
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByRole('heading', { name: 'Send flows here' }).waitFor()
    assertQuiet(/status of 40[13]/)
  })

  test('is set up at the next sign-in, before anything else, and leads to where one wanted to go', async () => {
    addUser(service)
    const { page, assertQuiet } = await openPage(browser, service.url)
    await page.goto(`${service.url}/sites`)
    await enter(page)
    await page.getByText('This installation asks for a second factor').waitFor()
    await page.goto(`${service.url}/events`)
    await page.getByText('This installation asks for a second factor').waitFor()
    assert.deepEqual(await accessibilityOf(page), [])
    await setUp(page)
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
    await page.goto(`${service.url}/settings`)
    await page.getByText('10 recovery codes left').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Turn off' }).count(), 0)
    assertQuiet(/status of 40[13]/)
  })
})
