// How routers and probes are told to send flows here: lines to paste, with this installation's address and ports in them. Timeouts are
// as short as each takes, so that attacks are seen early; sampling is that of a busy border.

export interface Destination {
  /** An address of this machine that the router reaches. */
  host: string
  ports: { netflow: number; ipfix: number; sflow: number }
  /** 1 of how many packets. */
  sampling: number
}

export interface Vendor {
  id: string
  /** A proper name, the same in every language. */
  name: string
  protocol: 'netflow9' | 'ipfix' | 'sflow5'
  lines: (to: Destination) => string
}

export const vendors: readonly Vendor[] = [
  {
    id: 'ios-xe',
    name: 'Cisco IOS XE',
    protocol: 'netflow9',
    lines: ({ host, ports, sampling }) => `flow record FLOODGAUGE
 match ipv4 protocol
 match ipv4 source address
 match ipv4 destination address
 match transport source-port
 match transport destination-port
 match interface input
 collect transport tcp flags
 collect counter bytes long
 collect counter packets long
 collect timestamp sys-uptime first
 collect timestamp sys-uptime last
!
flow exporter FLOODGAUGE
 destination ${host}
 source Loopback0
 transport udp ${ports.netflow}
 export-protocol netflow-v9
 template data timeout 60
 option sampler-table timeout 60
!
flow monitor FLOODGAUGE
 record FLOODGAUGE
 exporter FLOODGAUGE
 cache timeout active 10
 cache timeout inactive 10
!
sampler FLOODGAUGE
 mode random 1 out-of ${sampling}
!
interface GigabitEthernet0/0/0
 ip flow monitor FLOODGAUGE sampler FLOODGAUGE input`,
  },
  {
    id: 'ios-xr',
    name: 'Cisco IOS XR',
    protocol: 'netflow9',
    lines: ({ host, ports, sampling }) => `flow exporter-map FLOODGAUGE
 version v9
  options sampler-table timeout 60
  template timeout 60
 !
 transport udp ${ports.netflow}
 source Loopback0
 destination ${host}
!
flow monitor-map FLOODGAUGE
 record ipv4
 exporter FLOODGAUGE
 cache timeout active 10
 cache timeout inactive 10
!
sampler-map FLOODGAUGE
 random 1 out-of ${sampling}
!
interface HundredGigE0/0/0/0
 flow ipv4 monitor FLOODGAUGE sampler FLOODGAUGE ingress
!
commit`,
  },
  {
    id: 'nx-os',
    name: 'Cisco NX-OS',
    protocol: 'sflow5',
    lines: ({ host, ports }) => `feature sflow
sflow agent-ip 192.0.2.1
sflow sampling-rate 4096
sflow counter-poll-interval 30
sflow collector-ip ${host} vrf management
sflow collector-port ${ports.sflow}
sflow data-source interface ethernet 1/1`,
  },
  {
    id: 'junos',
    name: 'Juniper MX',
    protocol: 'ipfix',
    lines: ({ host, ports, sampling }) => `set services flow-monitoring version-ipfix template floodgauge ipv4-template
set services flow-monitoring version-ipfix template floodgauge flow-active-timeout 10
set services flow-monitoring version-ipfix template floodgauge flow-inactive-timeout 10
set services flow-monitoring version-ipfix template floodgauge template-refresh-rate seconds 60
set services flow-monitoring version-ipfix template floodgauge option-refresh-rate seconds 60
set chassis fpc 0 sampling-instance floodgauge
set forwarding-options sampling instance floodgauge input rate ${sampling}
set forwarding-options sampling instance floodgauge family inet output flow-server ${host} port ${ports.ipfix}
set forwarding-options sampling instance floodgauge family inet output flow-server ${host} version-ipfix template floodgauge
set forwarding-options sampling instance floodgauge family inet output inline-jflow source-address 192.0.2.1
set interfaces xe-0/0/0 unit 0 family inet sampling input
commit`,
  },
  {
    id: 'eos',
    name: 'Arista EOS',
    protocol: 'sflow5',
    lines: ({ host, ports }) => `sflow sample 16384
sflow polling-interval 30
sflow destination ${host} ${ports.sflow}
sflow source-interface Loopback0
sflow run
!
interface Ethernet1
   sflow enable`,
  },
  {
    id: 'sr-os',
    name: 'Nokia SR OS',
    protocol: 'ipfix',
    lines: ({ host, ports, sampling }) => `configure global
/configure cflowd admin-state enable
/configure cflowd active-flow-timeout 30
/configure cflowd inactive-flow-timeout 10
/configure cflowd template-retransmit 60
/configure cflowd sample-profile 1 sample-rate ${sampling}
/configure cflowd collector ${host} port ${ports.ipfix} version 10
/configure cflowd collector ${host} port ${ports.ipfix} admin-state enable
/configure router "Base" interface "upstream" cflowd-parameters sampling unicast type interface
/configure router "Base" interface "upstream" cflowd-parameters sampling unicast direction ingress-only
/configure router "Base" interface "upstream" cflowd-parameters sampling unicast sample-profile 1
commit`,
  },
  {
    id: 'vrp',
    name: 'Huawei NE',
    protocol: 'netflow9',
    lines: ({ host, ports, sampling }) => `ip netstream export version 9
ip netstream export source 192.0.2.1
ip netstream export host ${host} ${ports.netflow}
ip netstream export template timeout-rate 1
ip netstream timeout active 1
ip netstream timeout inactive 10
ip netstream sampler fix-packets ${sampling} inbound
interface GigabitEthernet0/1/0
 ip netstream inbound
commit`,
  },
  {
    id: 'routeros',
    name: 'MikroTik RouterOS',
    protocol: 'netflow9',
    lines: ({
      host,
      ports,
    }) => `/ip traffic-flow set enabled=yes interfaces=ether1 active-flow-timeout=1m inactive-flow-timeout=10s
/ip traffic-flow target add dst-address=${host} port=${ports.netflow} version=9 v9-template-timeout=60s v9-template-refresh=20`,
  },
  {
    id: 'vyos',
    name: 'VyOS',
    protocol: 'netflow9',
    lines: ({ host, ports }) => `set system flow-accounting interface eth0
set system flow-accounting netflow version 9
set system flow-accounting netflow server ${host} port ${ports.netflow}
set system flow-accounting netflow timeout max-active-life 10
set system flow-accounting netflow timeout expiry-interval 10
commit
save`,
  },
  {
    id: 'pan-os',
    name: 'Palo Alto PAN-OS',
    protocol: 'netflow9',
    lines: ({ host, ports }) => `set shared server-profile netflow FLOODGAUGE template-refresh-rate minutes 1
set shared server-profile netflow FLOODGAUGE active-timeout 1
set shared server-profile netflow FLOODGAUGE server floodgauge host ${host}
set shared server-profile netflow FLOODGAUGE server floodgauge port ${ports.netflow}
set network interface ethernet ethernet1/1 layer3 netflow-profile FLOODGAUGE
commit`,
  },
  {
    id: 'opnsense',
    name: 'OPNsense',
    protocol: 'netflow9',
    lines: ({ host, ports }) => `Reporting > NetFlow
  Listening interfaces: WAN
  WAN interfaces:       WAN
  Version:              v9
  Destinations:         ${host}:${ports.netflow}
  Active timeout:       10
  Inactive timeout:     10`,
  },
  {
    id: 'softflowd',
    name: 'softflowd',
    protocol: 'netflow9',
    lines: ({ host, ports }) =>
      `softflowd -i eth0 -v 9 -n ${host}:${ports.netflow} -t maxlife=10 -t general=10 -t tcp=10 -t udp=10 -t expint=5`,
  },
  {
    id: 'pmacctd',
    name: 'pmacctd',
    protocol: 'ipfix',
    lines: ({ host, ports }) => `daemonize: true
pcap_interface: eth0
plugins: nfprobe
aggregate: src_host, dst_host, src_port, dst_port, proto, tos, tcpflags
nfprobe_receiver: ${host}:${ports.ipfix}
nfprobe_version: 10
nfprobe_timeouts: maxlife=10:general=10:tcp=10:udp=10:expint=5`,
  },
  {
    id: 'hsflowd',
    name: 'hsflowd',
    protocol: 'sflow5',
    lines: ({ host, ports, sampling }) => `sflow {
  polling = 30
  sampling = ${sampling}
  collector { ip = ${host} udpport = ${ports.sflow} }
  pcap { dev = eth0 }
}`,
  },
  {
    id: 'ovs',
    name: 'Open vSwitch',
    protocol: 'sflow5',
    lines: ({
      host,
      ports,
      sampling,
    }) => `ovs-vsctl -- set Bridge br0 sflow=@floodgauge -- --id=@floodgauge create sFlow agent=eth0 \\
  targets='"${host}:${ports.sflow}"' sampling=${sampling} header=128 polling=30`,
  },
]
