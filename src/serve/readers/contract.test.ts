// The store keeps its contract when threads answer what looks through much.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWithReaders, putFreshStore } from '../../../test/helpers/store.ts'
import { storeContract } from '../../../test/store-contract.ts'

storeContract('SQLite with readers', {
  async newPlace(t) {
    const directory = await mkdtemp(join(tmpdir(), 'floodgauge-readers-'))
    t.after(() => rm(directory, { recursive: true }))
    const place = join(directory, 'data', 'floodgauge.db')
    await putFreshStore(place)
    return place
  },
  open: openWithReaders,
})
