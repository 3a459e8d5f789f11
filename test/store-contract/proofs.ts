// The contract's part on what users prove to control.
import assert from 'node:assert/strict'
import type { SavedProof } from '../../src/store/store.ts'
import type { StoreCase } from '../store-contract.ts'

const proofOf = (userId: string, text: string, change: Partial<SavedProof> = {}): SavedProof => ({
  userId,
  subject: { kind: 'host', text },
  token: `token-of-${text}`,
  issuedMs: 1,
  checkedMs: null,
  confirmedMs: null,
  misses: 0,
  missingSinceMs: null,
  missedMs: null,
  expiresMs: null,
  ...change,
})

export const proofCases: StoreCase[] = [
  {
    name: 'proofs are kept by user and subject, the latest of each',
    async run({ open }) {
      const store = await open()
      const limits = { siteQuota: 1, allowed: null }
      const ids: string[] = []
      for (const name of ['ann', 'bob']) ids.push((await store.addUser({ email: `${name}@example.com`, ...limits })).id)
      const [first, second] = ids.toSorted()
      const old = proofOf(first, 'a.example')
      const changed = {
        ...old,
        checkedMs: 2,
        confirmedMs: 3,
        misses: 1,
        missingSinceMs: 3,
        missedMs: 4,
        expiresMs: 5,
        token: 'new',
      }
      const domain = proofOf(first, 'a.example', { subject: { kind: 'domain', text: 'a.example' } })
      const network = proofOf(second, '192.0.2.0/24', { subject: { kind: 'network', text: '192.0.2.0/24' } })
      const other = proofOf(second, 'a.example')
      await store.saveProofs([old, other, network, domain, proofOf('nobody', 'a.example')])
      await store.saveProofs([changed])
      assert.deepEqual(await store.loadProofs(), [domain, changed, other, network])
      await store.deleteProofs([domain, proofOf(first, 'b.example'), other])
      assert.deepEqual(await (await open()).loadProofs(), [changed, network])
    },
  },
]
