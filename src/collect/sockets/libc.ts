// Calls Linux where Node.js does not: recvmmsg reads many datagrams of a socket at once. Other systems have none of this.
import { endianness } from 'node:os'

/** Constants of Linux on all architectures that Node.js 24 runs on, from its headers. */
export const linux = {
  AF_INET: 2,
  AF_INET6: 10,
  SOCK_DGRAM: 2,
  SOCK_NONBLOCK: 0o4000,
  SOCK_CLOEXEC: 0o2000000,
  SOL_SOCKET: 1,
  SO_RCVBUF: 8,
  SO_REUSEPORT: 15,
  SO_RCVBUFFORCE: 33,
  IPPROTO_IPV6: 41,
  IPV6_V6ONLY: 26,
  EINTR: 4,
  EAGAIN: 11,
} as const

/**
 * The calls of the manual pages (section 2): a result below 0 means failure, and `errno` says why. The caller keeps the memory that it passes for as long
 * as the call, or what it points to, lasts.
 */
export interface Libc {
  socket(family: number, type: number, protocol: number): number
  bind(fd: number, address: Uint8Array, length: number): number
  getsockname(fd: number, address: Uint8Array, length: Uint8Array): number
  setsockopt(fd: number, level: number, name: number, value: Uint8Array, length: number): number
  getsockopt(fd: number, level: number, name: number, value: Uint8Array, length: Uint8Array): number
  recvmmsg(fd: number, messages: Uint8Array, count: number, flags: number, timeout: null): number
  close(fd: number): number
  errno(): number
  /** The name of an error: `EADDRINUSE`. */
  nameOf(errno: number): string
  /** Where in memory an array begins. */
  addressOf(array: Uint8Array): bigint
}

const declarations = {
  socket: 'int socket(int, int, int)',
  bind: 'int bind(int, void *, uint)',
  getsockname: 'int getsockname(int, void *, void *)',
  setsockopt: 'int setsockopt(int, int, int, void *, uint)',
  getsockopt: 'int getsockopt(int, int, int, void *, void *)',
  recvmmsg: 'int recvmmsg(int, void *, uint, int, void *)',
  close: 'int close(int)',
} as const

/** Loads the library; null on other systems, and where structures have another layout than on 64-bit Linux. */
export async function loadLibc(): Promise<Libc | null> {
  const has64Bits = ['x64', 'arm64', 'riscv64', 'loong64'].includes(process.arch)
  if (process.platform !== 'linux' || !has64Bits || endianness() !== 'LE') return null
  try {
    const { default: koffi } = await import('koffi')
    const library = koffi.load(null)
    const functions = Object.fromEntries(
      Object.entries(declarations).map(([name, declaration]) => [name, library.func(declaration)]),
    )
    const names = new Map(Object.entries(koffi.os.errno).map(([name, errno]) => [errno, name]))
    return {
      ...asCalls(functions),
      errno: () => koffi.errno(),
      nameOf: (errno) => names.get(errno) ?? `errno ${errno}`,
      addressOf: (array) => BigInt(koffi.address(array)),
    }
  } catch {
    return null
  }
}

/** Gives the functions their types: the declarations above state them, but the compiler can't read these. */
function asCalls(functions: Record<string, unknown>): Pick<Libc, keyof typeof declarations> {
  return functions as Pick<Libc, keyof typeof declarations>
}
