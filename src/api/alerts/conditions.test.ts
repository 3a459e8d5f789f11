import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Value } from 'typebox/value'
import { createTestApi } from '../../../test/helpers/api.ts'
import { channelOf } from '../../../test/store-contract/alerts/parts.ts'
import { type Condition, conditionOf, type Problem } from '../../alert/own/condition.ts'
import { endpoints } from '../../contract/endpoints.ts'

const nowMs = Date.UTC(2026, 0, 15, 12)
const silent: Problem = {
  ...{
    type: 'exporter.silent',
    subject: '192.0.2.1',
    detail: '',
    sinceMs: nowMs - 600_000,
    owner: null,
    untilMs: null,
  },
}
const conditionIn = (problem: Problem, given: Partial<Condition> = {}, id: string = problem.type): Condition => ({
  ...conditionOf(problem, { id, nowMs }),
  ...given,
})

describe('what cannot be seen or told', () => {
  it('is listed to admins who ask for it, and to users as far as it is about their channels', async (t) => {
    const api = await createTestApi()
    t.after(() => api.close())
    const ann = await api.addCaller('ann@example.com', { role: 'admin', scopes: ['read', 'admin'] })
    const bob = await api.addCaller('bob@example.com')
    for (const [{ user }, ids] of [
      [ann, ['a1']],
      [bob, ['b1', 'b2']],
    ] as const)
      for (const id of ids) await api.store.addChannel(user.id, channelOf(id, `Channel ${id}`), 9)
    const owner = { userId: bob.user.id, exceptChannelId: 'b1' }
    const failing: Problem = { ...silent, type: 'channel.failing', subject: 'Channel b1', owner }
    const proof = (userId: string): Problem => ({
      ...{ ...silent, type: 'site.proof_missing', subject: `${userId === ann.user.id ? 'a' : 'b'}.example.com` },
      owner: { userId, exceptChannelId: null },
    })
    const blind: Problem = { ...silent, type: 'service.blind', subject: '', untilMs: nowMs - 1_000 }
    await api.store.saveConditions([
      conditionIn(silent, { told: ['a1'] }),
      conditionIn({ ...silent, type: 'flows.none', subject: '' }, { overMs: nowMs, told: ['a1'] }),
      conditionIn(blind, { overMs: nowMs, told: ['a1'] }),
      conditionIn(failing, { told: ['a1', 'b2'] }),
      conditionIn(proof(ann.user.id), { told: ['a1'] }, 'p1'),
      conditionIn(proof(bob.user.id), { told: ['b1'] }, 'p2'),
    ])
    const list = async (caller: typeof ann, query = '') => {
      const url = `/api/v1/alerts/conditions${query}`
      const answer = await api.server.inject({ url, headers: caller.headers })
      if (answer.statusCode !== 200) return answer.statusCode
      assert.ok(Value.Check(endpoints.listConditions.shapes.response, answer.json()), answer.body)
      type Listed = {
        type: string
        channelId: string | null
        site: string | null
        told: { channel: string }[]
        toldOthers: number
      }
      return answer.json().conditions.map(({ type, channelId, site, told, toldOthers }: Listed) => {
        return `${type} ${channelId ?? site} ${told.map(({ channel }) => channel)} ${toldOthers}`
      })
    }
    assert.deepEqual(await list(ann, '?of=installation'), [
      'exporter.silent null Channel a1 0',
      'service.blind null Channel a1 0',
      'channel.failing null Channel a1 1',
      'site.proof_missing a.example.com Channel a1 0',
      'site.proof_missing null  1',
    ])
    assert.deepEqual(await list(ann), ['site.proof_missing a.example.com Channel a1 0'])
    assert.deepEqual(await list(bob), [
      'channel.failing b1 Channel b2 0',
      'site.proof_missing b.example.com Channel b1 0',
    ])
    assert.equal(await list(bob, '?of=installation'), 403)
    assert.equal(await list(bob, '?of=everything'), 400)
  })
})
