// Kills what writes, at random moments, and checks that nothing acknowledged is lost.
// Run: node test/crash/kill.ts [ROUNDS] [store|service|alerts|people]
import { type AlertCrashOutcome, crashAlerts } from './alert-rounds.ts'
import { crashService } from './service-rounds.ts'
import { type CrashOutcome, crashStore } from './store-rounds.ts'

const foundOf = ({ acknowledged, listed }: CrashOutcome) =>
  `${acknowledged} acknowledged changes and ${listed} listed events, none lost; every file whole`

const toldOf = ({ events, kills, found }: AlertCrashOutcome) =>
  `${events} events, each told from its beginning to its end over ${kills} kills in all: ${found}`

const subjects = {
  store: async (rounds: number) => foundOf(await crashStore(rounds)),
  service: async (rounds: number) => foundOf(await crashService(rounds)),
  alerts: async (rounds: number) => toldOf(await crashAlerts(rounds, 'programs')),
  people: async (rounds: number) => toldOf(await crashAlerts(rounds, 'people')),
}
const rounds = Number(process.argv[2] ?? 100)

for (const [name, crash] of Object.entries(subjects)) {
  if (process.argv[3] !== undefined && process.argv[3] !== name) continue
  const started = performance.now()
  const found = await crash(rounds)
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  process.stdout.write(`${name}: ${rounds} kills in ${seconds} s; ${found}\n`)
}
