// Name servers that send dnstap besides unbound: BIND, which answers for a zone of its own and asks others for the rest, and dnsdist, which
// stands before another server.

import { freePort } from '../free-port.ts'
import { NameServer } from './name-servers.ts'

export interface BindOptions {
  /** Its own zone, and the records of it. */
  zone: string
  records: string
  /** Zones that it asks a server on loopback for, by port. */
  forwarded: Record<string, number>
  /** The unix socket that it sends dnstap to. */
  dnstap: string
}

export class Bind extends NameServer {
  constructor() {
    super('named')
  }

  async start({ zone, records, forwarded, dnstap }: BindOptions): Promise<this> {
    this.port = await freePort()
    this.writeFile(
      'zone',
      `$ORIGIN ${zone}.\n@ 60 SOA ns.${zone}. hostmaster.${zone}. 1 3600 600 86400 1\n@ 60 NS ns.${zone}.\nns 60 A 127.0.0.1\n${records}\n`,
    )
    const zones = Object.entries(forwarded).map(
      ([name, port]) => `zone "${name}" { type forward; forward only; forwarders { 127.0.0.1 port ${port}; }; };\n`,
    )
    await this.run(
      `options {
  directory "${this.folder}";
  pid-file none;
  session-keyfile none;
  lock-file none;
  listen-on port ${this.port} { 127.0.0.1; };
  listen-on-v6 { none; };
  recursion yes;
  dnssec-validation no;
  empty-zones-enable no;
  dnstap { auth response; resolver response; forwarder response; };
  dnstap-output unix "${dnstap}";
  dnstap-identity "bind";
};
controls { };
zone "${zone}" { type primary; file "${this.folder}/zone"; };
${zones.join('')}`,
      zone,
      ['-g', '-c'],
    )
    return this
  }
}

export class Dnsdist extends NameServer {
  constructor() {
    super('dnsdist')
  }

  /** `server`: the port of the server behind it. `dnstap`: HOST:PORT. */
  async start({ server, dnstap }: { server: number; dnstap: string }): Promise<this> {
    this.port = await freePort()
    await this.run(
      `setLocal('127.0.0.1:${this.port}')
newServer('127.0.0.1:${server}')
logger = newFrameStreamTcpLogger('${dnstap}')
addResponseAction(AllRule(), DnstapLogResponseAction('dnsdist', logger))
`,
      'ready',
      ['--supervised', '--disable-syslog', '-C'],
    )
    return this
  }
}
