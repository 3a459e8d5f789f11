import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Priors } from './prior.ts'

const trafficClass = 7
const known = (level: number, learnt = true) => ({ learnt, series: new Map([[trafficClass, { baseline: { level } }]]) })
const levels = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => known(from + i))

/** Priors of networks with these hosts, all of which have been noted. */
function priorsOf(networks: ReturnType<typeof known>[][]): Priors {
  const priors = new Priors((network) => networks[network] ?? [])
  for (const host of networks.flat()) priors.note(host)
  priors.turn()
  return priors
}

const near = (value: number, expected: number) => assert.ok(Math.abs(value / expected - 1) < 0.06, `${value}`)

describe('what is normal for others', () => {
  it('is what nine of ten of the network do not exceed, else of all', () => {
    const priors = priorsOf([levels(101, 201), levels(1_001, 1_101)])
    near(priors.of(0, trafficClass), 190)
    near(priors.of(1, trafficClass), 1_090)
    near(priors.of(2, trafficClass), 1_080)
    assert.equal(priors.of(0, trafficClass + 1), 0)
  })

  it('is not known from few, from those who are not learnt, or from those who have nothing', () => {
    const two = [known(100), known(100)]
    assert.equal(priorsOf([two]).of(0, trafficClass), 0)
    assert.equal(priorsOf([[...two, known(100, false)]]).of(0, trafficClass), 0)
    assert.equal(priorsOf([[...two, known(0.5)]]).of(0, trafficClass), 0)
    near(priorsOf([[...two, known(100)]]).of(0, trafficClass), 100)
  })

  it('of a network is asked for again when it has changed', () => {
    const hosts = levels(101, 201)
    const priors = new Priors(() => hosts)
    near(priors.of(0, trafficClass), 190)
    hosts.push(...levels(1_001, 1_101))
    near(priors.of(0, trafficClass), 190)
    priors.drop(0)
    near(priors.of(0, trafficClass), 1_080)
  })
})
