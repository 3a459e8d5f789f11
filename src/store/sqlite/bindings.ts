// Names: the last known way from a name to each of its addresses.
import type { KnownBindings } from '../names.ts'
import type { SavedBinding } from '../store.ts'
import { inChunks } from './chunks.ts'
import type { Database } from './database.ts'
import { json, number, type Row, text } from './rows.ts'

export function createBindings(database: Database): KnownBindings {
  const saveBinding = database.prepare(`
    INSERT INTO bindings (name, address, chain, from_ms, confirmed_ms, ttl_seconds) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (name, address) DO UPDATE
    SET chain = excluded.chain, from_ms = excluded.from_ms, confirmed_ms = excluded.confirmed_ms, ttl_seconds = excluded.ttl_seconds
    WHERE excluded.confirmed_ms >= confirmed_ms`)
  const selectBindings = database.prepare(`
    SELECT name, address, chain, from_ms, confirmed_ms, ttl_seconds FROM bindings ORDER BY name, address`)
  const selectLatest = (column: 'name' | 'address') =>
    database.prepare(`SELECT * FROM bindings WHERE ${column} = ? ORDER BY confirmed_ms DESC, name, address LIMIT ?`)
  const latest = { name: selectLatest('name'), address: selectLatest('address') }

  return {
    async saveBindings(bindings) {
      await inChunks(bindings, (chunk) =>
        database.write(
          () => {
            for (const { name, address, chain, fromMs, confirmedMs, ttlSeconds } of chunk)
              saveBinding.run(name, address, JSON.stringify(chain), fromMs, confirmedMs, ttlSeconds)
          },
          { durable: false },
        ),
      )
    },

    async loadBindings() {
      return database.read(() => selectBindings.all()).map(bindingOf)
    },

    async bindingsOf(asked, max) {
      const rows = database.read(() =>
        'name' in asked ? latest.name.all(asked.name, max) : latest.address.all(asked.address, max),
      )
      return rows.map(bindingOf)
    },
  }
}

function bindingOf(row: Row): SavedBinding {
  return {
    name: text(row, 'name'),
    address: number(row, 'address'),
    chain: json<SavedBinding['chain']>(row, 'chain'),
    fromMs: number(row, 'from_ms'),
    confirmedMs: number(row, 'confirmed_ms'),
    ttlSeconds: number(row, 'ttl_seconds'),
  }
}
