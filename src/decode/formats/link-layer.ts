// Finds the IP header in a frame: behind Ethernet with its tags, behind MPLS labels, behind PPP. Each function gives the place of the header, or -1
// when there is none before `end`; nothing at or beyond `end` is read.

/** 802.1Q, 802.1ad, and two older numbers of stacked VLANs. */
const vlanTypes = [0x8100, 0x88a8, 0x9100, 0x9200]
export const ipv4Type = 0x0800
export const ipv6Type = 0x86dd
export const mplsTypes = [0x8847, 0x8848]
const pppoeSession = 0x8864
/** Lengths in place of a type (IEEE 802.3). */
const lengthMax = 1500
/** LLC for SNAP, whose organization is that of Ethernet types (RFC 1042). */
const snap = 0xaaaa0300
/** Most tags or labels that are skipped. */
const tagsMax = 16

export function ipInEthernet(view: DataView, at: number, end: number): number {
  at += 12
  for (let tags = 0; tags < tagsMax && at + 2 <= end; tags++) {
    const type = view.getUint16(at)
    if (type === ipv4Type || type === ipv6Type) return at + 2
    if (mplsTypes.includes(type)) return ipInMpls(view, at + 2, end)
    // Version, code, session and length; then PPP.
    if (type === pppoeSession) return ipInPpp(view, at + 8, end)
    if (vlanTypes.includes(type)) at += 4
    else if (type <= lengthMax && at + 8 <= end && view.getUint32(at + 2) === snap && view.getUint8(at + 6) === 0)
      at += 8
    else return -1
  }
  return -1
}

/**
 * Labels of four octets; the lowest bit of the third marks the last one (RFC 3032). What follows is IP, or else a pseudowire: the frames of some
 * other network, whose addresses mean nothing in this one.
 */
export function ipInMpls(view: DataView, at: number, end: number): number {
  for (let labels = 0; labels < tagsMax && at + 4 <= end; labels++, at += 4) {
    if ((view.getUint8(at + 2) & 1) !== 0) return at + 4
  }
  return -1
}

/** Address and control field of PPP in HDLC-like framing (RFC 1662). */
const hdlc = 0xff03

/** Protocol 0x0021 is IPv4 (RFC 1332), 0x0057 IPv6 (RFC 5072), 0x0281 MPLS (RFC 3032). */
export function ipInPpp(view: DataView, at: number, end: number): number {
  if (at + 4 <= end && view.getUint16(at) === hdlc) at += 2
  if (at + 2 > end) return -1
  const protocol = view.getUint16(at)
  if (protocol === 0x0281) return ipInMpls(view, at + 2, end)
  return protocol === 0x0021 || protocol === 0x0057 ? at + 2 : -1
}
