// The service of the demo: a process on a throwaway data directory and free ports, with a user and a token made for it.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { floodgauge, type RunningService, startService } from '../../test/helpers/service.ts'

export interface DemoService extends RunningService {
  email: string
  token: string
  /** Opens the console, once. */
  signInLink: string
  netflowPort: number
}

export async function startDemoService(): Promise<DemoService> {
  // Settings of another instance on this machine are not meant for this one.
  for (const name of Object.keys(process.env)) if (name.startsWith('FLOODGAUGE_')) delete process.env[name]
  const netflowPort = await freeUdpPort()
  const service = await startService({ netflow: netflowPort, ipfix: 0, sflow: 0 })
  try {
    const email = 'demo@example.net'
    const data = ['--data', service.dataFolder]
    await floodgauge('user', 'add', email, '--no-link', ...data)
    const token = (await floodgauge('token', 'create', email, '--scope', 'read,write', ...data)).trim()
    const signInLink = (await floodgauge('user', 'link', email, '--direct', ...data)).trim()
    return { ...service, email, token, signInLink, netflowPort }
  } catch (error) {
    await service.stop()
    throw error
  }
}

async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  await once(socket, 'close')
  return port
}
