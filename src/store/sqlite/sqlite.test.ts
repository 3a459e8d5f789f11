import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeContract } from '../../../test/store-contract.ts'
import { openSqliteStore } from './index.ts'

storeContract('SQLite', {
  async newPlace(t) {
    const directory = await mkdtemp(join(tmpdir(), 'floodgauge-store-'))
    t.after(() => rm(directory, { recursive: true }))
    return join(directory, 'data', 'floodgauge.db')
  },
  open: openSqliteStore,
})
