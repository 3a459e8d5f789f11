import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { defaultSettings } from '../../../test/helpers/detection.ts'
import { address } from '../../../test/helpers/flow-rows.ts'
import { inspectConfig } from '../../config.ts'
import { formatKey } from '../../net/address.ts'
import { containsKey, formatNetworkKey, networkKey, parseNetwork } from '../../net/network.ts'
import type { DetectSettings } from '../settings.ts'
import { SettingsTable, type SiteAddresses } from './target-settings.ts'

const table = (given: Partial<DetectSettings>, siteAddresses: SiteAddresses = []) =>
  new SettingsTable({ ...defaultSettings(), ...given }, siteAddresses)

describe('the settings of an address', () => {
  it('are inherited key by key: site, longest network, shorter, all', () => {
    const settings = table({
      packetsPerSecond: 30_000,
      excludePorts: ['udp/53'],
      prefixes: [
        { prefix: '192.0.2.0/24', bytesPerSecond: 5, flowsPerSecond: 6, excludePorts: ['tcp/25'] },
        { prefix: '192.0.2.8/29', bytesPerSecond: 7, sensitivity: 'low' },
      ],
      sites: [{ site: '192.0.2.0/24', sensitivity: 3, excludePorts: [] }],
    })
    const { values, sources, limits } = settings.of(address('192.0.2.10'))
    assert.deepEqual(values, {
      enabled: true,
      packetsPerSecond: 30_000,
      bytesPerSecond: 7,
      flowsPerSecond: 6,
      sensitivity: 3,
      excludePorts: [],
      excludeSources: [],
    })
    assert.deepEqual(sources, {
      enabled: 'default',
      packetsPerSecond: 'all',
      bytesPerSecond: 'prefix 192.0.2.8/29',
      flowsPerSecond: 'prefix 192.0.2.0/24',
      sensitivity: 'site 192.0.2.0/24',
      excludePorts: 'site 192.0.2.0/24',
      excludeSources: 'default',
    })
    assert.deepEqual(limits, {
      packets: 30_000,
      bytes: 7,
      flows: 6,
      sensitivity: 3,
      sources: { packets: 'absolute', bytes: 'prefix 192.0.2.8/29', flows: 'prefix 192.0.2.0/24' },
    })
  })

  it('are those of the narrowest site: address, network, name, longest wildcard; of equals the first', () => {
    const hosts = [
      '*.example.com',
      '*.shop.example.com',
      'b.example.com',
      'a.example.com',
      '192.0.2.0/24',
      '192.0.2.10',
    ]
    const here = [address('192.0.2.10')]
    const settings = defaultSettings()
    for (let count = 1; count <= hosts.length; count++) {
      const sites = hosts.slice(0, count).map((site, i) => ({ site, packetsPerSecond: i + 1 }))
      const addresses = sites.map(({ site }) => (/^\d/.test(site) ? [] : here))
      const { sources } = new SettingsTable({ ...settings, sites }, addresses).of(here[0])
      const expected = count === 4 ? 'b.example.com' : hosts[count - 1]
      assert.equal(sources.packetsPerSecond, `site ${expected}`)
    }
  })

  it('of a name hold only where it leads', () => {
    const sites = [{ site: 'www.example.com', enabled: false }]
    assert.equal(table({ sites }).of(7).values.enabled, true)
    const led = table({ sites }, [[7, 9]])
    assert.deepEqual(
      [6, 7, 8, 9, 10].map((each) => led.of(each).values.enabled),
      [true, false, true, false, true],
    )
  })

  it('reach the ends of the address space', () => {
    const settings = table({
      prefixes: [
        { prefix: '0.0.0.0/0', flowsPerSecond: 1 },
        { prefix: '0.0.0.0/32', flowsPerSecond: 2 },
        { prefix: '255.255.255.255/32', flowsPerSecond: 3 },
      ],
    })
    const found = [0, 1, 0xffff_fffe, 0xffff_ffff].map((each) => settings.of(each).values.flowsPerSecond)
    assert.deepEqual(found, [2, 1, 1, 3])
  })

  it('agree with a search of the longest network', () => {
    const prefix = fc
      .tuple(fc.nat(127), fc.integer({ min: 24, max: 32 }))
      .map(([host, length]) => parseNetwork(`192.0.2.${host}/${length}`))
      .filter((parsed) => parsed !== null)
      .map(networkKey)
    fc.assert(
      fc.property(fc.uniqueArray(prefix, { selector: formatNetworkKey, maxLength: 12 }), (prefixes) => {
        const rows = prefixes.map((each, i) => ({ prefix: formatNetworkKey(each), packetsPerSecond: i + 1 }))
        const settings = table({ prefixes: rows })
        for (let each = address('192.0.1.255'); each <= address('192.0.2.255'); each++) {
          const longest = prefixes.toSorted((a, b) => b.length - a.length).find((of) => containsKey(of, each))
          const expected = longest === undefined ? 20_000 : prefixes.indexOf(longest) + 1
          assert.equal(settings.of(each).values.packetsPerSecond, expected, formatKey(each))
        }
      }),
      { numRuns: 50 },
    )
  })
})

describe('the settings of a whole network', () => {
  it('are not those of a part of it', () => {
    const settings = table({
      prefixes: [
        { prefix: '192.0.0.0/16', sensitivity: 2 },
        { prefix: '192.0.2.0/25', sensitivity: 9 },
      ],
      sites: [{ site: '192.0.3.0/24', sensitivity: 3 }],
    })
    const found = ['192.0.2.0', '192.0.3.0'].map(
      (text) => settings.ofNetwork({ network: address(text), length: 24 }).limits.sensitivity,
    )
    assert.deepEqual(found, [2, 3])
    const sensitivityOf = (length: number) =>
      settings.ofNetwork({ network: address('192.0.2.0'), length }).limits.sensitivity
    assert.deepEqual([25, 27].map(sensitivityOf), [9, 9])
  })
})

describe('settings that are wrong', () => {
  const cases: [variable: string, value: string, reason: RegExp][] = [
    [
      'SENSITIVITY',
      'hihg',
      /^detect\.sensitivity: must be low, normal, high or a number from 0\.1 to 10 \(it is "hihg"\)/,
    ],
    ['SENSITIVITY', '11', /^detect\.sensitivity: must be low, normal/],
    ['EXCLUDE_PORTS', 'udp/53,dns', /^detect\.excludePorts: 1: must be a protocol and a port: tcp\/443/],
    ['EXCLUDE_SOURCES', '192.0.2.0/33', /^detect\.excludeSources: 0: must be an IPv4 address or network/],
    ['PREFIXES', '[{prefix: 192.0.2.0/33}]', /^detect\.prefixes: 0\.prefix: must be an IPv4 network/],
    ['PREFIXES', '[{prefix: 192.0.2.0/24}, {prefix: 192.0.2.9/24}]', /^detect\.prefixes: has 192\.0\.2\.0\/24 twice/],
    ['PREFIXES', '[{prefix: 192.0.2.0/24, enabled: off}]', /^detect\.prefixes: 0\.enabled: must be boolean/],
    ['PREFIXES', '[{prefix: 192.0.2.0/24, site: a.example}]', /^detect\.prefixes: 0\.site: is an unknown key/],
    ['SITES', '[{site: 192.0.2.0/15}]', /^detect\.sites: 0\.site: is no site: The CIDR prefix must be >=16/],
    ['SITES', '[{site: WWW.example.com}, {site: www.example.com.}]', /^detect\.sites: has www\.example\.com twice/],
    ['SITES', '[{site: a.example, sensitivity: 0}]', /^detect\.sites: 0\.sensitivity: must be low, normal/],
  ]
  for (const [variable, value, reason] of cases) {
    it(`are told by key and reason: ${variable} ${value}`, () => {
      const { problems } = inspectConfig({ env: { [`FLOODGAUGE_DETECT_${variable}`]: value } })
      assert.equal(problems.length, 1, problems.join('\n'))
      assert.match(problems[0], reason)
    })
  }

  it('are no problem when they are right', () => {
    const env = {
      FLOODGAUGE_DETECT_SENSITIVITY: 'high',
      FLOODGAUGE_DETECT_EXCLUDE_PORTS: 'udp/53,udp/src/53',
      FLOODGAUGE_DETECT_SITES:
        '[{site: "*.example.com", sensitivity: 0.3, enabled: false, excludeSources: [192.0.2.7]}]',
    }
    assert.deepEqual(inspectConfig({ env }).problems, [])
  })
})
