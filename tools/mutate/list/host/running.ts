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
    breaks: 'a task that has ended changes',
    file: 'src/relay/tasks/stored-tasks.ts',
    from: "if (before?.status !== 'working') return",
    to: 'if (!before) return',
    noticedBy: ['src/relay/tasks/stored-tasks.test.ts'],
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
