import { hostname, networkInterfaces } from 'node:os'

/** The names and addresses by which this machine can be reached, as a `Host` header spells them. */
export function ownHosts(): readonly string[] {
  const addresses = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address))
  return [...new Set(['localhost', '127.0.0.1', '[::1]', hostname().toLowerCase(), ...addresses])]
}
