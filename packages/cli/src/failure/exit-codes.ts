/** Exit codes of the command; scripts rely on these, so they never change their meaning. */
export const exitCodes = {
  ok: 0,
  usage: 1,
  toolError: 2,
  protocolError: 3,
  unreachable: 4,
  denied: 5,
  signInNeeded: 6,
  lockChanged: 10,
  lockNew: 11,
  lockUnknown: 12,
  timeout: 124,
  interrupted: 130,
} as const

/** One of the codes that the command ends with. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Meaning of each code, for the manual. */
export const exitCodeMeanings: { readonly [Name in keyof typeof exitCodes]: string } = {
  ok: 'success',
  usage: 'wrong usage, or a local problem such as a file that cannot be written',
  toolError: 'the tool reported an error, or a test or check failed',
  protocolError: 'the server answered with an error, or with something invalid',
  unreachable: 'the server cannot be started or reached, or the connection was lost',
  denied: 'refused by a person or by a rule',
  signInNeeded: 'the server requires you to sign in',
  lockChanged: 'lock verify: something differs from the lock',
  lockNew: 'lock verify: something is not in the lock yet, and everything else matches',
  lockUnknown: 'lock verify: it cannot be determined whether the lock matches',
  timeout: 'the time given with --timeout ran out',
  interrupted: 'stopped by Ctrl-C or another signal; up on SIGTERM ends with 0',
}
