// Addresses of listeners, as settings write them.

export interface ListenAddress {
  host: string
  port: number
}

/** `127.0.0.1:8080` in its two parts; brackets of an IPv6 address away. The settings' schemas have checked the shape. */
export function parseListen(text: string): ListenAddress {
  const colon = text.lastIndexOf(':')
  return { host: text.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(text.slice(colon + 1)) }
}

/** The same text again: an IPv6 address in brackets. */
export function formatListen({ host, port }: ListenAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
