// Single sign-on in a browser, with a certified provider as a program of its own: groups become roles, signing out leads out of the provider, and what
// goes wrong is told.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { systemClock } from '../../../src/clock.ts'
import { storeFileOf } from '../../../src/store/data-directory.ts'
import { openSqliteStore } from '../../../src/store/sqlite/index.ts'
import { type RunningProvider, startProvider } from '../../helpers/servers/sign-on/provider.ts'
import { floodgauge, type RunningService, startService } from '../../helpers/service.ts'
import { freePort } from '../../live/free-port.ts'
import { skip } from '../../live/requirements.ts'
import { accessibilityOf, openBrowser, openPage, overflowOf, phone } from '../lab.ts'

const label = 'Example Ltd'
const person = (name: string, groups: string[], isVerified = true) => ({
  email: `${name}@example.net`,
  email_verified: isVerified,
  groups,
})
const people = {
  ann: person('ann', ['ops', 'web']),
  bob: person('bob', ['screen']),
  eve: person('eve', ['strangers']),
  mal: person('mal', ['ops'], false),
}

describe('single sign-on', { skip, timeout: 1_500_000 }, () => {
  let provider: RunningProvider
  let service: RunningService
  let browser: Browser

  before(async () => {
    const port = await freePort()
    const publicUrl = `http://127.0.0.1:${port}`
    const client = { clientId: 'floodgauge', clientSecret: 'a secret of the test' }
    provider = await startProvider({ ...client, publicUrl, people })
    service = await startService(undefined, {
      args: ['--http', `127.0.0.1:${port}`],
      env: {
        FLOODGAUGE_HTTP_PUBLIC_URL: publicUrl,
        FLOODGAUGE_SIGN_ON_OIDC_ISSUER: provider.issuer,
        FLOODGAUGE_SIGN_ON_OIDC_CLIENT_ID: client.clientId,
        FLOODGAUGE_SIGN_ON_OIDC_CLIENT_SECRET: client.clientSecret,
        FLOODGAUGE_SIGN_ON_OIDC_LABEL: label,
        FLOODGAUGE_SIGN_ON_OIDC_SCOPES: 'openid, email, groups',
        FLOODGAUGE_SIGN_ON_OIDC_GROUPS: '{ ops: admin, web: member, screen: viewer }',
        FLOODGAUGE_SIGN_ON_OIDC_CREATE_USERS: 'true',
      },
    })
    browser = await openBrowser()
    // An admin who can sign in: until then the console leads to the set-up.
    await floodgauge('user', 'add', 'root@example.net', '--no-link', '--data', service.dataFolder)
  })

  after(async () => {
    await browser?.close()
    await service?.stop()
    await provider?.stop()
  })

  /** From the button to where the provider sends the browser back to. */
  const signOn = async (page: Page, name: string) => {
    await page.getByRole('button', { name: label }).press('Enter')
    await page.getByPlaceholder('Enter any login').fill(name)
    await page.getByPlaceholder('and password').fill('any')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Continue' }).click()
  }

  test('leads to the provider and back to where one wanted to go, with the role of the groups, and out again', async () => {
    const { page, assertQuiet } = await openPage(browser, service.url)
    await page.goto(`${service.url}/sign-in?next=%2Fsettings%3Fsection%3Dusers`)
    await page.getByRole('button', { name: label }).waitFor()
    await page.getByLabel('Password').waitFor()
    assert.deepEqual(await accessibilityOf(page), [])
    await signOn(page, 'ann')
    await page.getByRole('row', { name: 'ann@example.net' }).getByText('Admin').waitFor()
    assert.equal(new URL(page.url()).searchParams.get('code'), null)
    assert.deepEqual(await accessibilityOf(page), [])
    assert.equal(await page.evaluate('document.cookie'), '')
    await page.reload()
    await page.getByRole('row', { name: 'ann@example.net' }).getByText('Single sign-on').waitFor()
    await page.goto(`${service.url}/settings`)
    await page.getByText('Site quota').waitFor()
    assert.equal(await page.getByText('Change password').count(), 0)
    assertQuiet(/asked elsewhere|status of 401|ERR_/)

    await page.getByRole('button', { name: 'ann@example.net' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: /yes/i }).click()
    await page.getByRole('button', { name: label }).waitFor()
    assert.equal(page.url().split('?')[0], `${service.url}/sign-in`)
    // The provider asks again who one is.
    await page.getByRole('button', { name: label }).click()
    await page.getByPlaceholder('Enter any login').waitFor()
  })

  test('gives a viewer what viewers see', async () => {
    const { page } = await openPage(browser, service.url, { theme: 'dark' })
    await page.goto(`${service.url}/sign-in`)
    await signOn(page, 'bob')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.goto(`${service.url}/settings`)
    await page.getByText('Viewer').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Users' }).count(), 0)
  })

  test('shows an admin whose tokens are suspended, and why', async () => {
    const make = (...more: string[]) =>
      floodgauge('token', 'create', 'bob@example.net', '--scope', 'read', '--data', service.dataFolder, ...more)
    await make('--name', 'wall')
    const store = await openSqliteStore(storeFileOf(service.dataFolder), { clock: systemClock })
    const bob = await store.userByEmail('bob@example.net')
    assert.ok(bob !== null)
    await store.refuseIdentities(bob.id)
    for (const options of [{}, { viewport: phone }, { locale: 'zh-CN', theme: 'dark' as const }]) {
      const { page, context } = await openPage(browser, service.url, options)
      await page.goto(`${service.url}/sign-in?next=%2Fsettings%3Fsection%3Dtokens`)
      await signOn(page, 'ann')
      const row = page.getByRole('row').filter({ hasText: 'wall' })
      await row.getByText(/^(suspended|已暂停)$/).waitFor()
      await page.getByText(/single sign-on has refused|单点登录已拒绝/).waitFor()
      assert.deepEqual([await accessibilityOf(page), await overflowOf(page)], [[], 0])
      await context.close()
    }
    await store.acceptIdentities(bob.id)
    await store.close()
  })

  for (const [name, reason] of [
    ['eve', 'You are in none of the groups'],
    ['mal', 'does not say that your e-mail is verified'],
  ])
    test(`tells why somebody is not let in: ${name}`, async () => {
      const { page } = await openPage(browser, service.url)
      await page.goto(`${service.url}/sign-in`)
      await signOn(page, name)
      await page.getByRole('alert').filter({ hasText: reason }).waitFor()
      assert.deepEqual(await accessibilityOf(page), [])
      await page.getByRole('link', { name: 'Sign in again' }).click()
      await page.getByRole('button', { name: label }).waitFor()
    })

  test('takes no answer that this browser did not ask for, nor one twice', async () => {
    const first = await openPage(browser, service.url)
    await first.page.goto(`${service.url}/sign-in`)
    const returned = first.page.waitForRequest((request) => request.url().startsWith(`${service.url}/sign-on?`))
    await signOn(first.page, 'ann')
    const address = (await returned).url()
    await first.page.getByRole('heading', { name: 'Overview' }).waitFor()
    const other = await openPage(browser, service.url)
    for (const page of [other.page, first.page]) {
      await page.goto(address)
      await page.getByRole('alert').filter({ hasText: 'This browser did not begin this sign-in' }).waitFor()
    }
  })

  test('leaves the one-time link a way in while the provider is down', async () => {
    await provider.stop()
    const { page } = await openPage(browser, service.url, { locale: 'zh-CN' })
    await page.goto(`${service.url}/sign-in`)
    await page.getByRole('button', { name: label }).waitFor()
    const link = /http\S+/.exec(
      await floodgauge('user', 'link', 'root@example.net', '--direct', '--data', service.dataFolder),
    )?.[0]
    await page.goto(link ?? '')
    await page.getByRole('heading', { name: '总览' }).waitFor()
  })
})

describe('single sign-on with a provider that was never there', { skip, timeout: 1_500_000 }, () => {
  test('is told on the page, beside the form for passwords', async (t) => {
    const [port, nobody] = [await freePort(), await freePort()]
    const service = await startService(undefined, {
      args: ['--http', `127.0.0.1:${port}`],
      env: {
        FLOODGAUGE_HTTP_PUBLIC_URL: `http://127.0.0.1:${port}`,
        FLOODGAUGE_SIGN_ON_OIDC_ISSUER: `http://127.0.0.1:${nobody}`,
        FLOODGAUGE_SIGN_ON_OIDC_CLIENT_ID: 'floodgauge',
      },
    })
    const browser = await openBrowser()
    t.after(async () => {
      await browser.close()
      await service.stop()
    })
    const { page } = await openPage(browser, service.url)
    await page.goto(`${service.url}/sign-in`)
    await page.getByRole('button', { name: 'Single sign-on' }).click()
    await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor()
    await page.getByLabel('Password').waitFor()
    assert.deepEqual(await accessibilityOf(page), [])
  })
})
