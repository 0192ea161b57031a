import { hostname, networkInterfaces } from 'node:os'

/** The names and addresses of this machine, as in a `Host` header. */
export function ownHosts(): readonly string[] {
  const addresses = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address))
  return [...new Set(['localhost', '127.0.0.1', '[::1]', hostname().toLowerCase(), ...addresses])]
}
