import { Agent, buildConnector } from 'undici';

/** By the port that was asked for, the port to which a balancer sends it. */
export type Ports = ReadonlyMap<string, string>;

/** Connects where a balancer would; the names that the client asked for, and those of the certificates, stay. */
export function routedAgent(tls: buildConnector.BuildOptions, ports?: Ports): Agent {
  const connect = buildConnector(tls);
  return new Agent({
    connect: (options, callback) => connect({ ...options, port: ports?.get(options.port) ?? options.port }, callback),
  });
}
