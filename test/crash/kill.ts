// Kills what writes, at random moments, and checks that nothing acknowledged is lost.
// Run: node test/crash/kill.ts [ROUNDS] [store|service|alerts]
import { crashAlerts } from './alert-rounds.ts'
import { crashService } from './service-rounds.ts'
import { type CrashOutcome, crashStore } from './store-rounds.ts'

const foundOf = ({ acknowledged, listed }: CrashOutcome) =>
  `${acknowledged} acknowledged changes and ${listed} listed events, none lost; every file whole`

const subjects = {
  store: async (rounds: number) => foundOf(await crashStore(rounds)),
  service: async (rounds: number) => foundOf(await crashService(rounds)),
  alerts: async (rounds: number) => {
    const { events, arrived, repeated, failed } = await crashAlerts(rounds)
    return `${events} events, each told from its beginning to its end: ${arrived} messages, ${repeated} of them again, ${failed} attempts failed`
  },
}
const rounds = Number(process.argv[2] ?? 100)

for (const [name, crash] of Object.entries(subjects)) {
  if (process.argv[3] !== undefined && process.argv[3] !== name) continue
  const started = performance.now()
  const found = await crash(rounds)
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  process.stdout.write(`${name}: ${rounds} kills in ${seconds} s; ${found}\n`)
}
