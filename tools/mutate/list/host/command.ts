import { type Mutation, mutationsOf } from '../../mutation.ts'

/** The exit codes of the command. */
export const command: readonly Mutation[] = mutationsOf('cli', [
  {
    breaks: 'a call that waits for a person counts as a tool that failed',
    file: 'src/commands/call.ts',
    from: "'refused', 'waiting', 'expired'",
    to: "'refused', 'expired'",
    noticedBy: ['test/challenges/01-exit-codes.test.ts'],
  },
  {
    breaks: 'what cannot be told hides what differs from a lock',
    file: 'src/host/lock-report.ts',
    from: "if (has('changed')) return exitCodes.lockChanged\n  if (has('cannot tell')) return exitCodes.lockUnknown",
    to: "if (has('cannot tell')) return exitCodes.lockUnknown\n  if (has('changed')) return exitCodes.lockChanged",
    noticedBy: ['src/host/lock-report.test.ts'],
  },
])
