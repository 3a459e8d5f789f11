import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Allowed, requireHostRecord } from './host-record.ts'
import { createRegistrar, type Policy, policies } from './policy.ts'

const allowed: Allowed = { networks: ['192.0.2.0/25'], domains: ['example.com'] }
const inside = ['192.0.2.1', '192.0.2.64/26', 'example.com', 'www.example.com', '*.example.com']
const outside = ['192.0.2.0/24', '198.51.100.1', 'www.example.net', '*.example.net']
/** A registry's, and a company's. */
const suffixes = ['co.uk', 'github.io']

function registered(policy: Policy | null, given: Allowed, installation: Policy = 'single'): string[] {
  const { mayRegister } = createRegistrar({ policy, allowed: given, role: 'member' as const }, installation)
  return [...inside, ...outside, ...suffixes].filter((host) => mayRegister(requireHostRecord(host)))
}

describe('what a user may register', () => {
  it('under single and open is anything, or what lies in what the operator gave', () => {
    for (const policy of ['single', 'open'] as const) {
      assert.deepEqual(registered(policy, null), [...inside, ...outside, ...suffixes])
      assert.deepEqual(registered(policy, allowed), inside)
    }
  })

  it('under assigned is what lies in what the operator gave, and nothing else', () => {
    assert.deepEqual(registered('assigned', allowed), inside)
    assert.deepEqual(registered('assigned', null), [])
  })

  it('under verified is what the user can prove, which nobody can of a public suffix', () => {
    assert.deepEqual(registered('verified', null), [...inside, ...outside])
    assert.deepEqual(registered('verified', { networks: [], domains: ['co.uk'] }), [...inside, ...outside, 'co.uk'])
  })

  it('is as the installation has it, unless the user has a policy', () => {
    for (const installation of policies) {
      assert.deepEqual(registered(null, null, installation), registered(installation, null))
      assert.deepEqual(registered('assigned', allowed, installation), inside)
    }
  })
})
