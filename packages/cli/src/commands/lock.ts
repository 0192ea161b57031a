import { defineCommand, type Invocation } from '../command/command.ts'
import { onlyOptions } from '../command/only-options.ts'
import { type ExitCode, exitCodes } from '../failure/exit-code.ts'
import { Failure, usageFailure } from '../failure/failure.ts'
import { openHost } from '../host/host-link.ts'
import { githubLines, junitLines, type LockFinding, lockExit, verifyLines } from '../host/lock-report.ts'

const options = {
  start: { type: 'boolean', summary: 'Start the servers without a host, as a machine that builds does' },
  format: { type: 'string', value: 'FORMAT', summary: 'How to report', choices: ['github', 'junit'] },
} as const

/** `trunkline lock`: writes what was accepted beside the configuration, and tells whether it still holds. */
export const lockCommand = defineCommand({
  name: 'lock',
  group: 'host',
  summary: 'Writes what you accepted into trunkline.lock, or tells whether it still holds',
  usage: ['', 'verify'],
  details: [
    "A lock lies beside each layer's trunkline.json: the command, the version of the program, and the hash and class of every accepted definition, one line each. It is written when you accept something, and by this command. A lock that comes with a project can make things stricter and never looser.",
    '"verify" ends with 0 when all is the same, 10 when something changed, 11 when something is new, and 12 when it cannot be told.',
  ],
  options,
  json: '`{ locks: [{ file, servers, isChanged }] }`; verify prints `{ findings: […] }`',
  examples: [
    { line: 'trunkline lock', shows: 'which locks were written' },
    { line: 'trunkline lock verify', shows: 'what is not as the lock says' },
    {
      line: 'trunkline lock verify --start --format github',
      shows: 'the same on a machine that builds, as annotations',
    },
  ],
  async run(invocation) {
    const { words, output } = invocation
    const [verb, ...more] = words
    if (verb === 'verify' && more.length === 0) return verify(invocation)
    onlyOptions(invocation.options, { verb: 'lock', takes: [] })
    if (verb !== undefined) throw usageFailure(`Cannot do "lock ${words.join(' ')}"`, 'Write: trunkline lock verify')
    const { call } = await openHost()
    const { items: locks } = await call('lock')
    output.result({ locks }, () =>
      locks.length === 0
        ? ['No server is configured, so there is nothing to lock']
        : locks.map(({ file, servers, isChanged }) => {
            const what = servers.length === 0 ? 'no server' : servers.join(', ')
            return `${file} ${isChanged ? 'was written' : 'is up to date'}: ${what}`
          }),
    )
    return undefined
  },
})

async function verify({ options: given, output }: Invocation<typeof options>): Promise<ExitCode> {
  const findings = given.start ? await started() : await known()
  if (given.format === undefined) output.result({ findings }, () => verifyLines(findings))
  else output.result({ findings }, () => (given.format === 'github' ? githubLines(findings) : junitLines(findings)))
  return lockExit(findings)
}

async function started(): Promise<readonly LockFinding[]> {
  const { verifyStarted } = await import('@trunkline/host')
  return verifyStarted(process.cwd())
}

async function known(): Promise<readonly LockFinding[]> {
  try {
    const { call } = await openHost()
    return (await call('verifyLock')).items
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'NoHost') throw error
    throw new Failure('It cannot be told whether the lock holds: no host runs', {
      code: 'NoHost',
      exit: exitCodes.lockUnknown,
      hint: 'Start it (trunkline up), or let this command start the servers (--start)',
    })
  }
}
