// What keeps attacks from being seen or told, in the console: since when, who was told, where it is put right; to users, their own.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { endpoints, type Response } from '../../../src/contract/endpoints.ts'
import { skip } from '../../live/requirements.ts'
import { accessibilityOf, overflowOf, phone } from '../lab.ts'
import { consoleSuite } from '../suite/console-suite.ts'

type Condition = Response<'listConditions'>['conditions'][number]

const [silent] = endpoints.listConditions.example.response.conditions
const failing: Condition = {
  ...{ ...silent, id: 'c2', type: 'channel.failing', subject: 'Night shift', channelId: 'a2' },
  ...{ detail: 'of ann@example.com: HTTP 503', told: [], toldOthers: 2 },
}
const blind: Condition = {
  ...{ ...silent, id: 'c3', type: 'service.blind', severity: 'critical', subject: '', told: [] },
  until: '2017-03-08T10:20:00+00:00',
}
const missing: Condition = {
  ...{ ...silent, id: 'c4', type: 'site.proof_missing', subject: 'shop.example.net', site: 'shop.example.net' },
  detail: 'of ann@example.com: there is no valid TXT record _floodgauge-host-challenge.shop.example.net',
}

describe('what keeps attacks from being seen or told', { skip, timeout: 480_000 }, () => {
  const { canned, open, asked } = consoleSuite()

  test('is listed to admins with since when, who was told and a way to mend it, by keyboard', async () => {
    canned.answer({ listConditions: () => ({ conditions: [silent, failing, blind] }) })
    const { page, context, assertQuiet } = await open('/alerts', { viewport: phone })
    const rows = page.getByRole('list', { name: 'What keeps attacks from being seen or told' }).getByRole('listitem')
    const first = rows.filter({ hasText: 'Nothing comes from the exporter 192.0.2.1' })
    await first.getByText('Told: Night shift').waitFor()
    await rows.filter({ hasText: 'Floodgauge was away' }).getByText('Nobody was told').waitFor()
    const second = rows.filter({ hasText: 'The channel Night shift fails' })
    await second.getByText('Told: 2 channels of others').waitFor()
    assert.deepEqual(
      asked('listConditions').map(({ search }) => search.get('of')),
      ['installation'],
    )
    assert.deepEqual(await accessibilityOf(page), [])
    assert.equal(await overflowOf(page), 0)
    await second.getByRole('link', { name: 'Its messages' }).press('Enter')
    await page.waitForURL(/\/alerts\/deliveries\?channel=a2$/)
    await page.goBack()
    await first.getByRole('link', { name: 'Flow sources' }).press('Enter')
    await page.waitForURL(/\/sources$/)
    assertQuiet()
    await context.close()
  })

  test('is what is about their channels to users, and nothing where there is nothing', async () => {
    const session = endpoints.getSession.example.response
    let conditions = [failing, missing]
    canned.answer({
      getSession: () => ({ ...session, scopes: ['read', 'write'] }),
      listConditions: () => ({ conditions }),
    })
    const { page, context, assertQuiet } = await open('/alerts', { theme: 'dark', locale: 'zh' })
    await page.getByText('渠道“Night shift”发送失败').waitFor()
    const proof = page.getByRole('listitem').filter({ hasText: 'shop.example.net 的所有权证明缺失' })
    await proof.getByText('没有有效的 TXT 记录 _floodgauge-host-challenge.shop.example.net').waitFor()
    await proof.getByRole('link', { name: '该站点' }).press('Enter')
    await page.waitForURL(/\/sites\/shop\.example\.net$/)
    await page.goBack()
    await proof.waitFor()
    assert.deepEqual(
      asked('listConditions').map(({ search }) => search.get('of')),
      [null],
    )
    assert.deepEqual(await accessibilityOf(page), [])
    conditions = []
    await page.reload()
    await page.getByRole('table').waitFor()
    assert.equal(await page.getByText('渠道“Night shift”发送失败').count(), 0)
    assertQuiet()
    await context.close()
  })
})
