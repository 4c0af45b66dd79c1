import { freePort } from '../support/free-port.js';
import type { Service } from './compose-file.js';

/** Settings of ports that a container may leave at their defaults. */
const defaultPorts = { PORT: 3000, BANK_PORT: 3001, SANDBOX_PORT: 3002, BROWSER_PORT: 3003, MTLS_PORT: 3004 } as const;

/**
 * The networks of containers on this machine's loopback address: a free port stands for each port of a network. In settings,
 * command lines and mounted files
 *
 * - `name:port` of a service becomes 127.0.0.1 and the port that stands for it,
 * - so does `127.0.0.1:port` and `0.0.0.0:port`, in the container's own network, and `localhost:port`, at the service that
 *   publishes this port,
 * - `0.0.0.0`, every address of a container, becomes 127.0.0.1,
 * - the ports that settings name become those that stand for them in the container's network.
 */
export class ContainerAddresses {
  private readonly ports = new Map<string, Promise<number>>();

  constructor(private readonly services: () => readonly Service[]) {}

  /** The port that stands for a port of a network. */
  of(network: string, port: number): Promise<number> {
    const key = `${network}:${port}`;
    const known = this.ports.get(key) ?? freePort();
    this.ports.set(key, known);
    return known;
  }

  /** Lets a port that is chosen already stand for a port of a network. */
  stand(network: string, port: number, chosen: number): void {
    this.ports.set(`${network}:${port}`, Promise.resolve(chosen));
  }

  /** The port that stands for a published port of this machine. Throws where no service publishes it. */
  published(port: number): Promise<number> {
    const service = this.services().find(({ ports }) => ports.has(port));
    if (service === undefined) throw new Error(`no service publishes the port ${port}`);
    return this.of(service.network, service.ports.get(port) ?? 0);
  }

  async rewritten(text: string, network: string): Promise<string> {
    let [done, end] = ['', 0];
    for (const { 0: whole, 1: host = '', 2: port = '', index } of text.matchAll(/([\w.-]+):(\d+)/g)) {
      const stands = await this.at(host, Number(port), network);
      const address = stands === undefined ? whole : `${host === 'localhost' ? host : '127.0.0.1'}:${stands}`;
      done += text.slice(end, index) + address;
      end = index + whole.length;
    }
    return (done + text.slice(end)).replaceAll('0.0.0.0', '127.0.0.1');
  }

  /** @param ours whether the settings are those of a program of ours, with its defaults */
  async settings(
    given: Readonly<Record<string, string>>,
    network: string,
    ours: boolean,
  ): Promise<Record<string, string>> {
    const all = ours ? { ...defaultPorts, ...given } : given;
    const rewritten = Object.entries(all).map(async ([name, value]) => {
      if (/(^|_)PORT$/.test(name)) {
        // The commands ask BANK_PORT of another container.
        const of = (name === 'BANK_PORT' && this.networkOf(given['BANK_HOST'])) || network;
        return [name, String(await this.of(of, Number(value)))] as const;
      }
      const text = String(value);
      return [name, this.networkOf(text) === undefined ? await this.rewritten(text, network) : '127.0.0.1'] as const;
    });
    return Object.fromEntries(await Promise.all(rewritten));
  }

  private async at(host: string, port: number, network: string): Promise<number | undefined> {
    if (host === '127.0.0.1' || host === '0.0.0.0') return this.of(network, port);
    if (host === 'localhost')
      return this.services().some(({ ports }) => ports.has(port)) ? this.published(port) : undefined;
    const named = this.networkOf(host);
    return named === undefined ? undefined : this.of(named, port);
  }

  /** A service in the network of another has no name. */
  private networkOf(name: string | undefined): string | undefined {
    return this.services().some((service) => service.name === name && service.network === name) ? name : undefined;
  }
}
