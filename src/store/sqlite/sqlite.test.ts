import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { putFreshStore } from '../../../test/helpers/store.ts'
import { storeContract } from '../../../test/store-contract.ts'
import { openSqliteStore } from './index.ts'

storeContract('SQLite', {
  async newPlace(t) {
    const directory = await mkdtemp(join(tmpdir(), 'floodgauge-store-'))
    t.after(() => rm(directory, { recursive: true }))
    const place = join(directory, 'data', 'floodgauge.db')
    await putFreshStore(place)
    return place
  },
  open: openSqliteStore,
})
