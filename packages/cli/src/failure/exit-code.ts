/** What the command ends with; scripts rely on these, so they never change their meaning. */
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

/** What each code says, for the manual. */
export const exitCodeMeanings: { readonly [Name in keyof typeof exitCodes]: string } = {
  ok: 'all went well',
  usage: 'a mistake in the command line, or something on this machine, such as a file that cannot be written',
  toolError: 'the tool ran and says that it failed, or a test did not pass',
  protocolError: 'the server answered with an error, or with something that is no answer',
  unreachable: 'the server cannot be started or reached, or it went away',
  denied: 'somebody or some rule said no',
  signInNeeded: 'the server wants to know who calls, and nobody has signed in',
  lockChanged: 'something is not as the lock says',
  lockNew: 'there is something that the lock does not know, and all else is as it says',
  lockUnknown: 'whether the lock still holds cannot be told',
  timeout: 'the time given with --timeout was over',
  interrupted: 'stopped by Ctrl-C or another signal',
}
