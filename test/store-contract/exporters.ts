// The contract's part on exporters.
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { streamReport } from '../helpers/exporters.ts'
import type { StoreCase } from '../store-contract.ts'

export const exporterCases: StoreCase[] = [
  {
    name: 'the latest report of each stream stays, over a restart',
    async run({ open }) {
      const store = await open()
      const [first, other] = [streamReport(), streamReport({ protocol: 'ipfix' })]
      const later = streamReport({ lastMs: first.lastMs + 1_000, counters: { sequenceLost: 5 } })
      const others = [
        streamReport({ port: 1 }),
        streamReport({ domain: 0xffff_ffff }),
        streamReport({ address: '2001:db8::1' }),
      ]
      await store.saveStreamReports([first, other, ...others])
      await store.saveStreamReports([later])
      await store.close()
      const reports = await (await open()).loadStreamReports()
      assert.equal(reports.length, 5)
      for (const report of [later, other, ...others]) {
        assert.ok(reports.some((each) => isDeepStrictEqual(each, report)))
      }
    },
  },
  {
    name: 'reports are deleted by what tells their streams from others',
    async run({ open }) {
      const store = await open()
      await store.saveStreamReports([streamReport(), streamReport({ domain: 1 }), streamReport({ port: 1 })])
      await store.deleteStreamReports([streamReport({ domain: 1 }), streamReport({ address: '192.0.2.200' })])
      await store.deleteStreamReports([])
      assert.deepEqual(
        (await store.loadStreamReports()).map(({ port, domain }) => [port, domain]),
        [
          [1, 9],
          [2055, 9],
        ],
      )
    },
  },
  {
    name: 'who may send is kept with the list before, over a restart',
    async run({ open }) {
      const store = await open()
      assert.equal(await store.exporterAdmission(), null)
      const first = { entries: ['192.0.2.1', '2001:db8::/32'], changedMs: 5, changedBy: 'ann@example.com' }
      await store.setExporterAdmission(first)
      assert.deepEqual(await store.exporterAdmission(), { ...first, previous: null })
      const second = { entries: [], changedMs: 6, changedBy: null }
      await store.setExporterAdmission(second)
      assert.deepEqual(await (await open()).exporterAdmission(), { ...second, previous: first.entries })
    },
  },
  {
    name: 'what happened to exporters takes the place of what was there, oldest first',
    async run({ open }) {
      const store = await open()
      assert.deepEqual(await store.loadExporterNotices(), [])
      const notice = { kind: 'restart' as const, address: '192.0.2.7', firstMs: 1, lastMs: 9, count: 2, text: 'x' }
      const other = { ...notice, kind: 'new-sender' as const, lastMs: 3 }
      await store.saveExporterNotices([{ ...notice, address: '192.0.2.8' }])
      await store.saveExporterNotices([notice, other])
      assert.deepEqual(await (await open()).loadExporterNotices(), [other, notice])
    },
  },
]
