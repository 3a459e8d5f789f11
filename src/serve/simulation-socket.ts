// The socket from which a simulated attack is sent to a port where flows are expected.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import type { ListenAddress } from '../net/listen.ts'

/** Is bound to the address that the listener sees; where flows are expected at every address, to the loopback's. */
export async function connectedSocket({ host, port }: ListenAddress): Promise<Socket> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  // An exporter does not notice whether somebody listens, either.
  socket.on('error', () => {})
  const to = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  socket.connect(port, to)
  await once(socket, 'connect')
  return socket
}
