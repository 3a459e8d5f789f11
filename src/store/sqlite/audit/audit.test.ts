// The audit log in its file, against whoever can write to the file.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, it, type TestContext } from 'node:test'
import { openFreshStore } from '../../../../test/helpers/store.ts'
import { Deed } from '../../../audit/deed.ts'
import { ManualClock } from '../../../clock.ts'
import { verifyAudit } from './verify.ts'

const service = { kind: 'service' as const, userId: null, name: '', credential: '', address: '' }
let file: string

beforeEach(async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-audit-'))
  ;(t as TestContext).after(() => rmSync(folder, { recursive: true }))
  file = join(folder, 'store.db')
  const clock = new ManualClock(0)
  const store = await openFreshStore(file, { clock })
  for (let n = 0; n < 6; n++) {
    clock.advance(1_000)
    await store.noteAudit([{ kind: 'k', actor: service, object: `o${n}`, outcome: 'done', count: 1, detail: { n } }])
  }
  await store.cutAudit(3_000)
  await store.close()
})

const faultAfter = (sql: string, known: string | null = null) => {
  const database = new DatabaseSync(file)
  try {
    database.exec(sql)
    return verifyAudit(database, known).fault?.fault ?? null
  } finally {
    database.close()
  }
}
/** What an attacker does first who can write to the file. */
const unguarded = ['is_added_behind', 'moves_head', 'stays', 'is_cut_at_anchor', 'ends_follow', 'ends_stay']
  .map((name) => `DROP TRIGGER audit_${name};`)
  .join('')

describe('the audit log in its file', () => {
  it('is whole, cut off or not', () => {
    assert.equal(faultAfter(''), null)
  })

  it('refuses to be changed in any way but the one', () => {
    for (const sql of [
      `UPDATE audit SET object = 'x' WHERE sequence = 4`,
      'UPDATE audit SET sequence = 99 WHERE sequence = 4',
      'DELETE FROM audit WHERE sequence = 4',
      'DELETE FROM audit',
      'REPLACE INTO audit SELECT * FROM audit WHERE sequence = 4',
      `INSERT INTO audit SELECT 9, 0, kind, actor, user_id, name, credential, address, object, outcome, count, detail, before_hash, hash
       FROM audit WHERE sequence = 4`,
      `INSERT INTO audit SELECT 8, 0, kind, actor, user_id, name, credential, address, object, outcome, count, detail, zeroblob(32), hash
       FROM audit WHERE sequence = 4`,
      'UPDATE audit_chain SET head_sequence = 3',
      'UPDATE audit_chain SET anchor_sequence = 5',
      'UPDATE audit_chain SET anchor_sequence = 0, anchor_hash = zeroblob(32)',
      'UPDATE audit_chain SET anchor_sequence = 99, anchor_hash = zeroblob(32)',
      'DELETE FROM audit_chain',
      'REPLACE INTO audit_chain VALUES (1, 0, zeroblob(32), 0, zeroblob(32), 0)',
    ])
      assert.throws(() => faultAfter(sql), /audit log|UNIQUE/, sql)
    assert.equal(faultAfter(''), null)
  })

  for (const [what, sql, fault] of [
    ['a text', `UPDATE audit SET object = 'x' WHERE sequence = 4`, 'changed'],
    ['who did it', `UPDATE audit SET actor = 'session' WHERE sequence = 4`, 'changed'],
    ['a word that nobody knows', `UPDATE audit SET actor = 'servicex' WHERE sequence = 4`, 'changed'],
    ['a number', 'UPDATE audit SET at_ms = at_ms + 1 WHERE sequence = 4', 'changed'],
    ['a row is gone', 'DELETE FROM audit WHERE sequence = 4', 'missing'],
    ['the last row is gone', 'DELETE FROM audit WHERE sequence = 7', 'cut short'],
    [
      'rows have changed places',
      `UPDATE audit SET sequence = 99 WHERE sequence = 4; UPDATE audit SET sequence = 4 WHERE sequence = 5;
      UPDATE audit SET sequence = 5 WHERE sequence = 99`,
      'changed',
    ],
    [
      'more is cut off than a row says',
      `UPDATE audit_chain SET anchor_sequence = 4, anchor_hash = (SELECT hash FROM audit WHERE sequence = 4);
      DELETE FROM audit WHERE sequence <= 4`,
      'cut off unsaid',
    ],
  ] as const)
    it(`shows that it was changed without its guards: ${what}`, () => assert.equal(faultAfter(unguarded + sql), fault))

  it('shows that its end was taken off with the ends made to fit, to whoever has noted the head elsewhere', () => {
    const database = new DatabaseSync(file)
    const { last } = verifyAudit(database)
    database.close()
    const shorter = `${unguarded} DELETE FROM audit WHERE sequence = 7;
      UPDATE audit_chain SET head_sequence = 6, head_hash = (SELECT hash FROM audit WHERE sequence = 6),
        anchor_sequence = anchor_sequence`
    assert.equal(faultAfter('', last.hash), null)
    assert.equal(faultAfter(shorter, last.hash), 'cut off unsaid')
  })

  it('is not written where the change fails to be, nor the change where the row fails to be', async () => {
    const store = await openFreshStore(`${file}.2`, { clock: new ManualClock(0) })
    const database = new DatabaseSync(`${file}.2`)
    database.exec(
      `CREATE TRIGGER broken BEFORE INSERT ON audit WHEN NEW.kind = 'broken' BEGIN SELECT raise(ABORT, 'no'); END`,
    )
    const add = () => store.addUser({ email: 'ann@example.com', siteQuota: 1, allowed: null })
    await assert.rejects(store.answerFor(new Deed({ kind: 'broken', actor: service }), add))
    assert.deepEqual(await store.listUsers(), [])
    await store.answerFor(new Deed({ kind: 'sound', actor: service }), add)
    assert.equal((await store.listUsers()).length, 1)
    database.close()
    await store.close()
  })
})
