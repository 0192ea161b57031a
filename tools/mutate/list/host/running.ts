import { type Mutation, mutationsOf } from '../../mutation.ts'

/** Servers that run, calls under way, and tasks. */
export const running: readonly Mutation[] = mutationsOf('host', [
  {
    breaks: 'any program with an answer counts as the host',
    file: 'src/running/host-identity.ts',
    from: '.some((proof) => isSameSecret(proof, expected))',
    to: '.some((proof) => proof !== expected)',
    noticedBy: ['src/running/host-identity.test.ts'],
    threat: 54,
  },
  {
    breaks: 'the answer to one challenge is good for any',
    file: 'src/running/host-identity.ts',
    from: 'update(`trunkline ${challenge}`)',
    to: "update('trunkline')",
    noticedBy: ['src/running/host-identity.test.ts'],
    threat: 54,
  },
  {
    breaks: 'a host has another port at each start',
    file: 'src/running/kept-port.ts',
    from: 'configured ?? (await readPort(places))',
    to: 'configured',
    noticedBy: ['src/running/kept-port.test.ts'],
  },
  {
    breaks: 'a name that begins like a loopback address counts as this machine',
    file: 'src/servers/is-loopback.ts',
    from: '{3}$/',
    to: '{3}/',
    noticedBy: ['src/servers/is-loopback.test.ts'],
  },
  {
    breaks: 'pings that were missed count for ever',
    file: 'src/servers/health.ts',
    from: '      misses = 0\n',
    to: '',
    noticedBy: ['src/servers/upstream.test.ts'],
  },
  {
    breaks: 'a task of an earlier store that never expires has expired',
    file: 'src/store/tables/task-tables.ts',
    from: 'nullif(expires_at, 9007199254740991)',
    to: '1',
    noticedBy: ['src/store/tables/task-tables.test.ts'],
  },
  {
    breaks: 'a call whose caller leaves in a drain counts as cancelled',
    file: 'src/relay/open-call.ts',
    from: 'this.#isHostEnding() ? new HostEnding() : cancelled',
    to: 'cancelled',
    noticedBy: ['test/threats/drain.test.ts'],
    threat: 47,
  },
])
