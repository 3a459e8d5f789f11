// How long after its event is written a message is first attempted: by 50 channels that answer, by 50 that hang while a thousand attacks begin within a second, and
// by a channel of somebody else meanwhile. Alerts run in this process, as do the receivers. Run: node bench/alerts/first.ts
import { setTimeout as delay } from 'node:timers/promises'
import { AlertLab } from '../../test/helpers/labs/alert-lab.ts'
import { type Arrival, spread, startReceiver } from './receiver.ts'

const channels = 50
const attacks = 40
const atOnce = 1_000
/** Channels of one user: as many as have messages under way at a time. */
const channelsPerUser = 4
const bystanderMs = 25_000

const channelOf = (arrival: Arrival) => /^POST \S*\/hook\/(\S+)/.exec(arrival.text)?.[1] ?? ''
const eventIn = (arrival: Arrival) => /msg_([0-9a-f]{24})_/.exec(arrival.text)?.[1] ?? ''

async function addChannel(lab: AlertLab, user: string, url: string): Promise<void> {
  await lab.addChannel(user, { kind: 'webhook', settings: { url } })
}

/** One user, whose channels all answer; one attack after the other. */
async function answering(): Promise<void> {
  const [lab, receiver] = [await AlertLab.start(), await startReceiver(true)]
  const user = await lab.addUser()
  for (let n = 0; n < channels; n++) await addChannel(lab, user, `${receiver.url}/${n}`)
  const took: number[] = []
  const firsts: number[] = []
  for (let n = 0; n < attacks; n++) {
    const [{ id }] = await lab.record([user], () => ({}))
    const writtenMs = performance.now()
    await delay(800 + 37 * (n % 5))
    const own = receiver.arrivals.filter((arrival) => eventIn(arrival) === id).map(({ atMs }) => atMs - writtenMs)
    if (own.length !== channels) console.log(`only ${own.length} messages about ${id}`)
    took.push(...own)
    firsts.push(Math.min(...own))
  }
  console.log(`${channels} channels of a user that answer, ${attacks} attacks: written to first octet`)
  console.log(`  of each of ${took.length} messages: ${spread(took)}; of the first of each attack: ${spread(firsts)}`)
  await lab.stop()
  receiver.stop()
}

/** Many users, all of whose channels hang; their attacks begin within a second. Somebody else has one that answers, and an attack now and then. */
async function hanging(): Promise<void> {
  const [lab, hang, quick] = [await AlertLab.start(), await startReceiver(false), await startReceiver(true)]
  const bystander = await lab.addUser()
  await addChannel(lab, bystander, `${quick.url}/quick`)
  const users: string[] = []
  for (let n = 0; n < channels; n++) {
    if (n % channelsPerUser === 0) users.push(await lab.addUser())
    await addChannel(lab, users[users.length - 1], `${hang.url}/${n}`)
  }
  const beganMs = performance.now()
  const writtenMs = new Map<string, number>()
  const owners = Array.from({ length: atOnce / 10 }, (_, n) => users[n % users.length])
  const flood = async () => {
    for (let batch = 0; batch < 10; batch++) {
      const made = await lab.record(owners, () => ({}))
      for (const { id } of made) writtenMs.set(id, performance.now())
      await delay(Math.max(0, beganMs + (batch + 1) * 100 - performance.now()))
    }
    return performance.now() - beganMs
  }
  const others = async () => {
    while (performance.now() - beganMs < bystanderMs) {
      const [{ id }] = await lab.record([bystander], () => ({}))
      writtenMs.set(id, performance.now())
      await delay(200)
    }
  }
  const [floodMs] = await Promise.all([flood(), others()])
  const since = (arrival: Arrival) => arrival.atMs - (writtenMs.get(eventIn(arrival)) ?? Number.NaN)
  const byChannel = Map.groupBy(hang.arrivals, channelOf)
  const firsts = [...byChannel.values()].map((all) => Math.min(...all.map(since)))
  console.log(
    `${atOnce} attacks within ${(floodMs / 1_000).toFixed(2)} s, ${channels} channels of ${users.length} users, all hanging`,
  )
  console.log(`  written to the first attempt of each of ${firsts.length} channels: ${spread(firsts)}`)
  const waiting = Object.values((await lab.store.waiting()).byKind).reduce((sum, count) => sum + count, 0)
  console.log(`  ${hang.arrivals.length} attempts hung so far, ${waiting} messages wait`)
  console.log(`  of somebody else, meanwhile: ${quick.arrivals.length} messages, ${spread(quick.arrivals.map(since))}`)
  await lab.stop()
  hang.stop()
  quick.stop()
}

await answering()
await hanging()
