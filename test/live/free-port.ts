// A port for a server that cannot choose one itself.
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

/** Below those that the kernel gives to whoever asks for any: nobody is given the port before the server has it. */
const ports = { min: 20_000, max: 32_000 }
const triesMax = 100

/** Free for TCP and UDP on 127.0.0.1. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < triesMax; tries++) {
    const port = randomInt(ports.min, ports.max)
    if ((await isFreeForTcp(port)) && (await isFreeForUdp(port))) return port
  }
  throw new Error(`no free port in ${triesMax} tries`)
}

async function isFreeForTcp(port: number): Promise<boolean> {
  const server = createServer()
  const isBound = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (isBound) await new Promise((resolve) => server.close(resolve))
  return isBound
}

async function isFreeForUdp(port: number): Promise<boolean> {
  const socket = createSocket('udp4')
  const isBound = await new Promise<boolean>((resolve) => {
    socket.once('error', () => resolve(false))
    socket.bind(port, '127.0.0.1', () => resolve(true))
  })
  if (isBound) await new Promise<void>((resolve) => socket.close(resolve))
  return isBound
}
