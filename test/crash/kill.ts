// Kills what writes, at random moments, and checks that nothing acknowledged is lost.
// Run: node test/crash/kill.ts [ROUNDS] [store|service]
import { crashService } from './service-rounds.ts'
import { crashStore } from './store-rounds.ts'

const subjects = { store: crashStore, service: crashService }
const rounds = Number(process.argv[2] ?? 100)

for (const [name, crash] of Object.entries(subjects)) {
  if (process.argv[3] !== undefined && process.argv[3] !== name) continue
  const started = performance.now()
  const { acknowledged, listed } = await crash(rounds)
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  const found = `${acknowledged} acknowledged changes and ${listed} listed events, none lost; every file whole`
  process.stdout.write(`${name}: ${rounds} kills in ${seconds} s; ${found}\n`)
}
